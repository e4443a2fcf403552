"""The Dockerfile, read; and carried out without Docker: in a root of its own, laid out as the image's would be.

What `FROM` and `apt-get` would bring is this machine's own Debian, read-only; all else is done as it is written. It
takes a mount namespace and a chroot, and so root; nothing outside the given folder is changed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PARTS = ("usr", "proc", "dev", "sys")  # of this machine
OWN = ("opt", "src", "data", "tmp", "run", "var/lib/apt/lists", "root")


class Step(NamedTuple):
    word: str  # RUN, COPY …
    rest: str


def stages() -> list[list[Step]]:
    """Each stage's steps, its FROM first; what is before the first FROM is left out."""
    text = re.sub(r"\\\n", " ", re.sub(r"(?m)^#.*\n", "", (ROOT / "Dockerfile").read_text()))
    found: list[list[Step]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            found.append([])
        if found:
            found[-1].append(Step(word, " ".join(rest.split())))
    return found


def environment(stage: list[Step]) -> dict[str, str]:
    env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    for step in stage:
        if step.word == "ENV":
            for pair in shlex.split(step.rest):
                name, _, value = pair.partition("=")
                env[name] = value.replace("$PATH", env["PATH"])
    return env


def commands(step: Step) -> list[list[str]]:
    """A RUN's commands, one after the other."""
    return [shlex.split(part) for part in step.rest.split(" && ")]


def packages() -> set[str]:
    """What is installed of Debian."""
    return {
        word
        for stage in stages()
        for step in stage
        if step.word == "RUN"
        for command in commands(step)
        if command[:2] == ["apt-get", "install"]
        for word in command[2:]
        if not word.startswith("-")
    }


class Image:
    """The finished root, entered as the image's user."""

    def __init__(self, root: Path, holder: int) -> None:
        self.root, self._holder = root, holder
        final = stages()[-1]
        self.env = environment(final)
        self.user = next(step.rest for step in final if step.word == "USER")
        self.folder = next(step.rest for step in final if step.word == "WORKDIR")

    def words(self, *words: str, user: str | None = None) -> list[str]:
        """What runs a command inside, with nothing but the image's environment."""
        uid, gid = (user or self.user).split(":")
        inside = f"cd {self.folder} && exec {shlex.join(words)}"
        drop = [
            "setpriv",
            f"--reuid={uid}",
            f"--regid={gid}",
            "--clear-groups",
            "--no-new-privs",
            "--bounding-set=-all",
        ]
        if user is not None:
            drop = []
        return [
            *("nsenter", f"--mount=/proc/{self._holder}/ns/mnt", "--", "chroot", str(self.root)),
            *drop,
            *("sh", "-c", inside),
        ]

    def run(self, *words: str, seconds: float = 120, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.words(*words),
            env={**self.env, **env},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    def start(self, *words: str, log: Path, **env: str) -> subprocess.Popen[bytes]:
        with open(log, "wb") as out:
            return subprocess.Popen(self.words(*words), env={**self.env, **env}, stdout=out, stderr=out)


@contextlib.contextmanager
def built(folder: Path) -> Iterator[Image]:
    """Carries the Dockerfile out, as far as it is ours; the root is read-only then, but for /tmp and /data."""
    root = folder / "root"
    for name in (*PARTS, *OWN):
        (root / name).mkdir(parents=True)
    shutil.copytree("/etc", root / "etc", symlinks=True)  # a copy: users are added
    for link in ("bin", "sbin", "lib", "lib64"):
        (root / link).symlink_to(os.readlink(f"/{link}"))
    mounts = [f"mount --bind {root} {root}"]
    mounts += [f"mount --rbind /{part} {root}/{part}" for part in PARTS]
    mounts += [f"mount -o remount,ro,bind {root}/usr", "echo ready", "exec sleep infinity"]
    holder = subprocess.Popen(
        ["unshare", "--mount", "--propagation=private", "sh", "-ec", "\n".join(mounts)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "ready\n"
        image = Image(root, holder.pid)
        for stage in stages():
            _carry_out(image, stage)
        for command in (f"mount -t tmpfs -o mode=1777 none {root}/tmp", f"mount -o remount,ro,bind {root}"):
            subprocess.run(["nsenter", f"--mount=/proc/{holder.pid}/ns/mnt", "--", *command.split()], check=True)
        yield image
    finally:
        holder.kill()
        holder.wait()


def _carry_out(image: Image, stage: list[Step]) -> None:
    env = {**os.environ, **environment(stage)}
    for step in stage:
        if step.word == "COPY" and not step.rest.startswith("--from"):
            what, where = step.rest.split()[:-1], step.rest.split()[-1]
            for name in what:
                _copy(ROOT / name, image.root / where.lstrip("/") / ("" if (ROOT / name).is_dir() else name))
        elif step.word == "RUN":
            for command in commands(step):
                if command[0] != "apt-get":
                    done = subprocess.run(
                        ["nsenter", f"--mount=/proc/{image._holder}/ns/mnt", "--", "chroot", str(image.root), *command],
                        env=env,
                        capture_output=True,
                        text=True,
                        check=False,
                    )
                    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
