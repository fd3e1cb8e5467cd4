"""Record for Scripts/where-time-goes: a line with the duration of each stage, module, group of tests and check."""
import json
import pathlib

REPORTS = pathlib.Path(__file__).resolve().parent.parent / ".build/reports"
RECORD = REPORTS / "time.jsonl"


def note(kind, name, wall, cpu):
    """Records the times of a stage, a group of tests, a check or a module."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    with open(RECORD, "a") as record:
        record.write(json.dumps({"kind": kind, "name": name, "wall": round(wall, 2), "cpu": round(cpu, 2)}) + "\n")
