#!/usr/bin/env python3
"""Checks that the man page, with the page of parameters, knows every command and option that `--help` shows, and no other.

usage: manual.py PROGRAM
"""
import pathlib
import re
import subprocess
import sys

PAGES = pathlib.Path(__file__).resolve().parent.parent.parent / "Documentation"
MANUAL = PAGES / "proscenium.1"
#: Its rows are options; a test holds it to the table.
PARAMETERS = PAGES / "parameters.md"
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")


def help_of(program, *words):
    answer = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
    # The discussion holds examples; what counts begins at USAGE.
    return answer[answer.index("USAGE"):]


def commands(text):
    """Names under SUBCOMMANDS."""
    _, _, part = text.partition("SUBCOMMANDS:")
    return re.findall(r"^  ([a-z]+) ", part, re.MULTILINE)


def main(program):
    text = MANUAL.read_text(encoding="utf-8")
    known = set(re.findall(r"-(-?[a-z][a-z-]*)", text.replace("\\-", "-")))
    written = {word.lstrip("-") for word in known}
    written |= set(re.findall(r"^\| `([a-z-]+)` \|", PARAMETERS.read_text(encoding="utf-8"), re.MULTILINE))
    options, names, faults = set(), [], []
    for command in commands(help_of(program)):
        page = help_of(program, command)
        names.append(command)
        options |= set(OPTION.findall(page))
        for sub in commands(page):
            names.append(f"{command} {sub}")
            page = help_of(program, command, sub)
            options |= set(OPTION.findall(page))
            for third in commands(page):
                names.append(f"{command} {sub} {third}")
                options |= set(OPTION.findall(help_of(program, command, sub, third)))
    options -= {"help", "version"}
    faults += [f"--{option} is not in the man page" for option in sorted(options) if option not in written]
    flags = set(re.findall(r"(?:\.|\s)Fl (?:-)([a-z][a-z-]*)|, -([a-z][a-z-]*)", text))
    documented = {a or b for a, b in flags}
    faults += [f"the man page's --{option} is no option" for option in sorted(documented - options)]
    for name in names:
        if not all(word in text for word in name.split()):
            faults.append(f"command '{name}' is not in the man page")
    print("\n".join(faults) if faults else f"manual: {len(names)} commands and {len(options)} options, all there.")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
