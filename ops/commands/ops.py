"""``hanpan ops``: where the operators' page is."""

from __future__ import annotations

import argparse
import json

from ops.admin import Admin
from ops.options import add_admin, add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_admin(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Asks first: an address that does not open anything is of no use."""
    admin = Admin(args.url, args.token)
    admin.get("audit")
    print(json.dumps({"page": admin.page}) if args.json else admin.page)
    return 0
