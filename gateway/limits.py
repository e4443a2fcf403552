"""How much is allowed: token buckets and caps, without a clock of their own.

Time comes in as monotonic seconds. The figures are settings; `gateway.config` has them all.
"""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import IPv6Address, ip_address

import msgspec

KEYS_REMEMBERED = 50_000  # addresses, identities; past it the ones unseen for longest are forgotten


class Rate(msgspec.Struct, frozen=True):
    """So many at once, and so many a second in the long run; zero a second: no limit."""

    per_second: float
    burst: float


class Bucket:
    """One token bucket. It begins full."""

    __slots__ = ("_at", "_level", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._level = rate.burst
        self._at = now

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Takes some, if they are there."""
        rate = self._rate
        if rate.per_second <= 0:
            return True
        level = self._level + (now - self._at) * rate.per_second
        self._at = now
        if level > rate.burst:
            level = rate.burst
        if level < amount:
            self._level = level
            return False
        self._level = level - amount
        return True

    def give_back(self, amount: float = 1.0) -> None:
        """It was not used after all."""
        self._level = min(self._rate.burst, self._level + amount)

    def wait(self, amount: float = 1.0) -> float:
        """Seconds from the last `take` until there would be enough."""
        return max(0.0, (amount - self._level) / self._rate.per_second) if self._rate.per_second > 0 else 0.0

    def wait_at(self, now: float) -> float:
        """Seconds from now until there would be one."""
        return max(0.0, self.wait() - (now - self._at))


class Buckets:
    """A bucket for each key, for as many keys as are remembered."""

    def __init__(self, rate: Rate, remembered: int = KEYS_REMEMBERED) -> None:
        self._rate = rate
        self._remembered = remembered
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, now: float) -> float:
        """Zero where it is allowed; otherwise the seconds to wait."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, now)
            if len(self._buckets) > self._remembered:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return 0.0 if bucket.take(now) else bucket.wait()

    def give_back(self, key: str) -> None:
        """What was taken for this key was not used after all."""
        if (bucket := self._buckets.get(key)) is not None:
            bucket.give_back()

    def wait(self, key: str, now: float) -> float:
        """Seconds until there would be one to take; takes none."""
        bucket = self._buckets.get(key)
        return 0.0 if bucket is None else bucket.wait_at(now)

    def __len__(self) -> int:
        return len(self._buckets)


class Gate:
    """What one person may, and what all of one address may. A person first: whoever does too much uses up their own.

    So of the many people behind one carrier's address, one who goes too far does not take the others along. Whoever
    shows no token is nobody, and counts as their address alone.
    """

    def __init__(self, each: Rate, address: Rate) -> None:
        self._each, self._addresses = Buckets(each), Buckets(address)

    def take(self, person: str | None, address: str, now: float) -> float:
        """Zero where it is allowed; otherwise the seconds to wait."""
        if person is not None and (wait := self._each.take(person, now)):
            return wait
        return self._addresses.take(address, now)

    def give_back(self, person: str | None, address: str) -> None:
        """What was taken was not used after all."""
        if person is not None:
            self._each.give_back(person)
        self._addresses.give_back(address)

    def wait(self, person: str, address: str, now: float) -> float:
        """Seconds until it would be allowed; takes nothing."""
        return max(self._each.wait(person, now), self._addresses.wait(address, now))


class Caps:
    """How many there are now, in all and for each key."""

    def __init__(self, total: int, per_key: int) -> None:
        self._total = total
        self._per_key = per_key
        self._counts: dict[str, int] = {}
        self.open = 0

    def full(self, key: str) -> str | None:
        """``"total"`` or ``"key"`` where one more would be too many."""
        if self.open >= self._total:
            return "total"
        return "key" if self._counts.get(key, 0) >= self._per_key else None

    def enter(self, key: str) -> None:
        self.open += 1
        self._counts[key] = self._counts.get(key, 0) + 1

    def leave(self, key: str) -> None:
        self.open -= 1
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]


def address_key(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 that one line is given of IPv6."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(ip, IPv6Address):
        return str(ip.ipv4_mapped) if ip.ipv4_mapped is not None else f"{IPv6Address(int(ip) >> 64 << 64)}/64"
    return str(ip)


def client_address(peer: str, forwarded: str, proxies: int) -> str:
    """The client's address, behind so many proxies of our own.

    Each proxy adds the address that it sees to the end of X-Forwarded-For, so only that many from the right can be
    believed; whatever a client wrote itself stands further left.
    """
    if proxies <= 0:
        return peer
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    return hops[-proxies] if len(hops) >= proxies else peer
