"""All that ops/ makes from something else, and that is committed as made. ``python -m ops.generated`` makes it.

A test compares what is committed with what would be made.
"""

from __future__ import annotations

import json
from pathlib import Path

from ops.alerts import slo
from ops.dashboards import BOARDS
from ops.dashboards.grafana import dashboard
from ops.metrics import CATALOGUE, Label

OPS = Path(__file__).parent

_METRICS = """# Metrics

Made from `ops/metrics.py` by `make generated`.

A *node*'s page is its agent's: it holds what the room processes of the node have counted, also those that are gone, and
has a label `node` on everything. The directory's counts are on the page of one of the nodes. `hanpan nodes` shows their
addresses. A *gateway*'s page is `/metrics` on its own port. Both have `process_*` too: memory, CPU time and open files
of the agent's, or the gateway's, own process.

A label with so many values "at most" takes the first so many that come; the next count as `other`. What can be foreseen
is shown as 0 before it has happened.

| metric | kind | labels | page | meaning |
| --- | --- | --- | --- | --- |
"""


def metrics_page() -> str:
    lines = []
    for metric in CATALOGUE:
        labels = ", ".join(_label(label) for label in metric.labels)
        lines.append(f"| `{metric.name}` | {metric.kind} | {labels} | {', '.join(metric.parts)} | {metric.help} |")
    buckets: dict[tuple[float, ...], list[str]] = {}
    for metric in CATALOGUE:
        if metric.buckets:
            buckets.setdefault(metric.buckets, []).append(f"`{metric.name}`")
    lines += ["", "## Buckets", "", "| histograms | upper bounds, seconds |", "| --- | --- |"]
    lines += [f"| {', '.join(names)} | {' '.join(f'{b:g}' for b in bounds)} |" for bounds, names in buckets.items()]
    return _METRICS + "\n".join(lines) + "\n"


def _label(label: Label) -> str:
    if isinstance(label.values, int):
        return f"`{label.name}` (at most {label.values})"
    return f"`{label.name}` ({' '.join(sorted(label.values))})"


def runbooks() -> str:
    """The alerts' pages, by name, for the operators' page, which shows them where an alert rings."""
    pages = {path.stem: path.read_text(encoding="utf-8") for path in sorted((OPS / "alerts" / "runbooks").glob("*.md"))}
    return json.dumps(pages, indent=1, ensure_ascii=False) + "\n"


def generated() -> dict[Path, str]:
    """Path to text."""
    boards = {
        OPS / "dashboards" / "built" / f"{board.uid}.json": json.dumps(dashboard(board), indent=1, ensure_ascii=False)
        for board in BOARDS
    }
    return {
        OPS / "METRICS.md": metrics_page(),
        OPS / "alerts" / "hanpan-slo.yaml": slo.rules(),
        OPS.parent / "gateway" / "web" / "ops" / "runbooks.json": runbooks(),
        **{path: text + "\n" for path, text in boards.items()},
    }


def main() -> None:
    wanted = generated()
    built = OPS / "dashboards" / "built"
    built.mkdir(exist_ok=True)
    for path in set(built.iterdir()) - set(wanted):
        path.unlink()
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
