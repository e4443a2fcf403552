"""A room's two keys: a password, which people say to each other, and an invitation, which nobody can guess.

Where the room is locked, either lets in somebody who has no seat. The log keeps a password only as its salted scrypt
hash: whoever reads a log has its games' seeds too, so it is stretched no further than a room can bear to do in passing
(3 ms). An invitation is 128 bits made from chance. It is renewed with each kick and each change of the password, so
that a link that was sent around before opens nothing any more.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from hashlib import scrypt, sha256

PASSWORD_LENGTH = 32  # characters
KEY_LENGTH = 64  # of whatever is tried
_SALT = 16
_COST = {"n": 1 << 10, "r": 8, "p": 1, "dklen": 32}


def lock_of(password: str, chance: bytes) -> str:
    """What the log keeps of a password; ``chance``: at least 16 random bytes. An empty one is no lock."""
    if not password:
        return ""
    salt = sha256(b"hanpan salt " + chance).digest()[:_SALT]
    return f"{salt.hex()}${_hashed(password, salt).hex()}"


def invitation(chance: bytes) -> str:
    """A key of 22 letters, made of 32 random bytes, which it tells nothing about."""
    return urlsafe_b64encode(sha256(b"hanpan invitation " + chance).digest()[:16]).decode().rstrip("=")


def is_invitation(invite: str, key: str) -> bool:
    """Is this the room's invitation? Takes as long for a good guess as for a bad one."""
    return bool(invite) and hmac.compare_digest(invite.encode(), key.encode())


def is_password(lock: str, key: str) -> bool:
    """Is this the password? Costs 3 ms: whoever asks counts how often."""
    salt, _, hashed = lock.partition("$")
    return hmac.compare_digest(bytes.fromhex(hashed), _hashed(key, bytes.fromhex(salt)))


def _hashed(password: str, salt: bytes) -> bytes:
    return scrypt(password.strip().encode(), salt=salt, **_COST)
