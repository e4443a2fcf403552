"""What a run came to: counted while it lasts, added up over several, and told."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from ops.stats import summary_ms
from ops.verify import Proof

TOLD = 20  # of a list of what went wrong
NOTHING_LOST = ("lost", "doubled", "digestMismatches", "viewMismatches")
NOBODY_NOTICED = ("unmeasured", "unmet", "errors")


class Report(msgspec.Struct):
    """Of one run, or of several."""

    faults: Counter[str] = msgspec.field(default_factory=Counter)  # done, by kind
    rooms_hit: Counter[str] = msgspec.field(default_factory=Counter)
    gaps: dict[str, list[float]] = {}  # s, by kind
    unmeasured: int = 0  # rooms that were struck and never seen to be played again
    proofs: list[Proof] = []
    findings: list[str] = []  # what the proofs say, in words
    unmet: list[str] = []  # what a fault expected, and did not come
    client_faults: list[str] = []  # what the protocol does not allow
    notes: list[str] = []
    skipped: dict[str, str] = {}  # faults that could not be done, and why
    cut: bool = False  # some faults have cut players' sockets
    seconds: float = 0.0
    rooms: int = 0
    acknowledged: int = 0
    turns: int = 0
    reconnects: int = 0
    pauses: int = 0
    spares: int = 0  # ready at the start

    def __add__(self, other: Report) -> Report:
        both: dict[str, Any] = {}
        for name in self.__struct_fields__:
            mine, theirs = getattr(self, name), getattr(other, name)
            both[name] = mine | theirs if isinstance(mine, bool | dict) and type(mine) is not Counter else mine + theirs
        both["gaps"] = {kind: self.gaps.get(kind, []) + other.gaps.get(kind, []) for kind in self.gaps | other.gaps}
        return Report(**both)

    def told(self, seed: int) -> dict[str, Any]:
        """As JSON."""
        return {
            "seed": seed,
            "seconds": round(self.seconds, 1),
            "faults": dict(sorted(self.faults.items())),
            "roomsHit": dict(sorted(self.rooms_hit.items())),
            "lost": sum(proof.lost for proof in self.proofs),
            "doubled": sum(proof.doubled for proof in self.proofs),
            "digestMismatches": sum(proof.digest_mismatches for proof in self.proofs),
            "viewMismatches": sum(proof.view_mismatches for proof in self.proofs),
            "gapMs": {kind: summary_ms(each, (0.5, 0.99)) for kind, each in sorted(self.gaps.items())},
            "unmeasured": self.unmeasured,
            "unmet": len(self.unmet),
            "rooms": self.rooms,
            "acknowledged": self.acknowledged,
            "turns": self.turns,
            "reconnects": self.reconnects,
            "pauses": self.pauses,
            "errors": len(self.client_faults),
            "skipped": self.skipped,
            "clientFaults": self.client_faults[:TOLD],
            "findings": (self.findings + self.unmet)[:TOLD],
            "notes": self.notes,
        }


def told_of_kills(report: Report, seed: int) -> dict[str, Any]:
    """A run that only killed rooms' processes, as JSON."""
    told, kind = report.told(seed), "room-killed"
    return {
        **told,
        "kills": told["faults"].get(kind, 0),
        "gapMs": told["gapMs"].get(kind, summary_ms([], (0.5, 0.99))),
        "sparesReady": report.spares,
    }


def is_well(told: dict[str, Any], *, sockets_were_cut: bool) -> bool:
    """Nothing was lost, and nobody saw more than a pause; sockets are opened again only where faults cut them."""
    wrong = [*NOTHING_LOST, *NOBODY_NOTICED, *([] if sockets_were_cut else ["reconnects"])]
    return not any(told[name] for name in wrong)


def readable(told: dict[str, Any]) -> str:
    """The same for people."""
    lines = [
        f"{sum(told['faults'].values())} faults in {told['seconds']:.0f} s, with seed {told['seed']}; "
        f"{told['rooms']} rooms played {told['turns']} turns meanwhile",
        f"of {told['acknowledged']} acknowledged actions, {told['lost']} lost and {told['doubled']} doubled",
        f"{told['digestMismatches']} digests and {told['viewMismatches']} last views differ from a fresh replay",
    ]
    for kind, times in told["faults"].items():
        gap = told["gapMs"].get(kind, {})
        figures = "" if gap.get("p50") is None else f": p50 {gap['p50']} ms, p99 {gap['p99']} ms, most {gap['max']} ms"
        lines.append(f"  {kind:32} {times} times, {told['roomsHit'].get(kind, 0)} rooms{figures}")
    lines += [f"  {kind:32} not done: it needs {why}" for kind, why in told["skipped"].items()]
    lines.append(
        f"{told['unmeasured']} rooms were never played again; {told['reconnects']} sockets were opened again; "
        f"{told['errors']} errors"
    )
    return "\n".join([*lines, *told["notes"], *told["findings"], *told["clientFaults"]])
