"""Adds the folders of the modules used from elsewhere to the path: `listening` (Scripts), `charts`
(Benchmarks/report)."""

import os
import sys

_ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
for _folder in ("Scripts", "Benchmarks/report"):
    if os.path.join(_ROOT, _folder) not in sys.path:
        sys.path.append(os.path.join(_ROOT, _folder))
