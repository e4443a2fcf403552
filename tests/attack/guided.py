"""A coverage-guided fuzzer (atheris) on one of `tests.attack.targets`.

    python -m tests.attack.guided messages -runs=100000

What follows the name goes to libFuzzer. It begins with the well-formed inputs of `inputs.seeds`, keeps what finds
new ways through the code in ``.fuzz/<name>``, and ends with an error at the first input that does harm, which it keeps.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["gateway", "cluster", "engines.kernel", "msgspec"]):
    from tests.attack.inputs import seeds
    from tests.attack.targets import TARGETS


def main() -> None:
    name, *options = sys.argv[1:]
    corpus = Path(".fuzz") / name
    corpus.mkdir(parents=True, exist_ok=True)
    for data in seeds(name):
        (corpus / sha256(data).hexdigest()[:16]).write_bytes(data)
    target = TARGETS[name]()
    given = [sys.argv[0], str(corpus), f"-artifact_prefix={corpus}/", "-max_len=8192", "-timeout=20", *options]
    atheris.Setup(given, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
