"""What a node agent is told at its start."""

from __future__ import annotations

import msgspec


class AgentConfig(msgspec.Struct, frozen=True, kw_only=True):
    node: str
    secret: bytes
    directory: str  # host:port
    socket: str  # unix:/path
    spares: int  # kept ready at least
    spares_most: int = 32  # and at most, however many the directory asks for
    starts_at_once: int = 2  # processes started in parallel where people have had to wait for one; else half as many
    limit: int = 1000  # room processes on this node, spares included
    keep_memory: float = 0.1  # of the node's memory: with less than that left, no process is started
    room_memory: int = 0  # bytes that a room's process may have for itself; it is killed where it has more. 0: any
    surplus_seconds: float = 60.0  # spares beyond those wanted are kept so long; many ends are followed by beginnings
    trim_seconds: float = 2.0  # and then end one by one, as each end costs some CPU, and rooms are playing
    folders: dict[str, str] = {}  # whose disks are watched, by name: data, logs, ray
