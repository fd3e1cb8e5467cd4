#!/usr/bin/env python3
"""Checks that the man page lists exactly the commands and options of `--help`: each command in the synopsis, each
option in its command's own section, and under `ctl` every settable parameter.

usage: manual.py PROGRAM
"""
import pathlib
import re
import subprocess
import sys

PAGES = pathlib.Path(__file__).resolve().parent.parent.parent / "Documentation"
MANUAL = PAGES / "proscenium.1"
#: Page whose rows list the parameters that can be set later; a test compares it with the table.
PARAMETERS = PAGES / "reference/parameters.md"
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")
#: Further sections with options of a command: `preview` takes the sound options of `run`, `desktop on` nearly all.
BESIDE = {"preview": ["run"], "desktop on": ["run"], "ctl loudness": ["loudness"], "ctl drc": ["loudness"]}
#: Word that the synopsis omits, because it is optional.
SILENT = {"set"}


def help_of(program, *words):
    answer = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
    # The discussion contains examples; only the part from USAGE on counts.
    return answer[answer.index("USAGE"):]


def commands(text):
    """Returns the names under SUBCOMMANDS."""
    _, _, part = text.partition("SUBCOMMANDS:")
    return re.findall(r"^  ([a-z]+) ", part, re.MULTILINE)


def options_of(text):
    """Returns the options of a help page: those at the left, not those mentioned in explanations."""
    labels = [re.split(r"\s{2,}", line.strip())[0] for line in text.splitlines() if re.match(r" {2,8}-", line)]
    return {option for label in labels for option in OPTION.findall(label)} - {"help", "version"}


def pages(program, *words):
    """Returns the names of the commands below this one that have no subcommands, and the options of each."""
    below = commands(text := help_of(program, *words))
    for command in below:
        yield from pages(program, *words, command)
    if not below:
        yield " ".join(words), options_of(text)


def sections(text, request):
    """Returns the texts of the page's parts by their titles."""
    parts = re.split(rf"^\.{request} (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def flags(text):
    """Returns the options in a part of the page, after `Fl` or in the list it begins."""
    return set(re.findall(r"(?<![\w-])-([a-z][a-z-]*)", text))


def main(program):
    page = subprocess.run([program, "--generate-manual", MANUAL], capture_output=True, text=True, check=True).stdout
    text = page.replace("\\-", "-")
    chapters = sections(text, "Sh")
    synopsis = [set(re.findall(r"[a-z]+", entry)) for entry in chapters["SYNOPSIS"].split(".Nm\n")]
    parts = {name: part for title, part in sections(chapters["COMMANDS"], "Ss").items() for name in [title, *title.split(", ")]}
    options, faults = set(), []
    names = dict(pages(program))
    for name, own in names.items():
        words = name.split()
        options |= own
        # Commands of `ctl` are in its section, in the table.
        here = words[:1] if words[0] == "ctl" else words[:2]
        if not any(set(here) - SILENT <= entry for entry in synopsis):
            faults.append(f"command '{name}' is not in the man page's synopsis")
        here = "\n".join(parts[title] for title in (name, words[0], *BESIDE.get(name, [])) if title in parts)
        # A section of its own, or a place in that of its group.
        if name not in parts and not (words[0] in parts and re.search(rf"\b{words[-1]}\b", here)):
            faults.append(f"command '{name}' has no section in the man page")
        faults += [f"--{option} of '{name}' is not in its section of the man page" for option in sorted(own - flags(here))]
    later = re.findall(r"^\| `([a-z-]+)` \|.*\| [^|]*later \|", PARAMETERS.read_text(encoding="utf-8"), re.MULTILINE)
    faults += [f"parameter '{name}' is not under ctl in the man page" for name in later
               if not re.search(rf"(?<![\w-]){name}(?![\w-])", parts["ctl"])]
    documented = {a or b for a, b in re.findall(r"(?:\.|\s)Fl (?:-)([a-z][a-z-]*)|, -([a-z][a-z-]*)", text)}
    faults += [f"the man page's --{option} is no option" for option in sorted(documented - options)]
    print("\n".join(faults) if faults else
          f"manual: {len(names)} commands, {len(options)} options and {len(later)} parameters, all there.")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
