"""The command ``hanpan``: which sub-commands there are. Each has a module of its own, imported when it is called.

A module offers ``add_arguments(parser)`` and ``run(args) -> int``. The number is the exit status: 0 when all is well,
1 when the command found something wrong, 2 when it was called wrongly, 3 when hanpan did not answer or refused.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module

from ops.problem import Problem

COMMANDS = {
    "up": ("ops.commands.up", "run a whole hanpan on this machine"),
    "gateway": ("ops.commands.gateway", "run a gateway of a hanpan that runs elsewhere"),
    "join": ("ops.commands.join", "run one node of a hanpan on many, in a Ray cluster"),
    "ops": ("ops.commands.ops", "say where the operators' page is, with what opens it"),
    "rooms": ("ops.commands.rooms", "list or search the rooms, and the process that each runs in"),
    "room": ("ops.commands.room", "look into one room: who is in it, what anybody sees, what happened"),
    "nodes": ("ops.commands.nodes", "list the nodes, and what runs on each"),
    "gateways": ("ops.commands.gateways", "list the gateways, and how many people each has on the line"),
    "audit": ("ops.commands.audit", "list the last orders of operators"),
    "move": ("ops.commands.move", "take a room to another process while it is played"),
    "close": ("ops.commands.close", "close a room for everyone in it"),
    "retry": ("ops.commands.retry", "try a quarantined room again"),
    "drain": ("ops.commands.drain", "take a node's rooms elsewhere, and give it no new ones"),
    "replay": ("ops.commands.replay", "print a finished game, step by step, as a spectator saw it"),
    "games": ("ops.commands.games", "list the games that are installed"),
    "verify": ("ops.commands.verify", "replay rooms' logs and compare every digest"),
    "store": ("ops.commands.store", "migrate, check, export, import or tidy a store"),
    "load": ("ops.commands.load", "let bots play many rooms, and measure"),
    "chaos": ("ops.commands.chaos", "break things under load, and prove that nothing was lost"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit status."""
    argv = sys.argv[1:] if argv is None else list(argv)
    parser = make_parser(argv[0] if argv else None)
    args = parser.parse_args(argv)
    if "run" not in args:
        parser.print_help()
        return 2
    try:
        return int(args.run(args))
    except Problem as problem:
        report(problem, as_json=getattr(args, "json", False))
        return problem.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone: nothing is left to be said, here or at the end
        return 141


def make_parser(command: str | None) -> argparse.ArgumentParser:
    """A parser that knows all commands by name, and the options of this one."""
    parser = argparse.ArgumentParser(prog="hanpan", description="한판: turn-based card games, a process a room.")
    commands = parser.add_subparsers(metavar="command", title="commands")
    for name, (module, summary) in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name == command:
            code = import_module(module)
            code.add_arguments(sub)
            sub.set_defaults(run=code.run)
    return parser


def report(problem: Problem, *, as_json: bool) -> None:
    """Says what went wrong: to people on stderr, to programs on stdout."""
    if as_json:
        print(json.dumps({"error": {"code": problem.code, "message": str(problem)}}, ensure_ascii=False))
    else:
        print(f"hanpan: {problem}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
