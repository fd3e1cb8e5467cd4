"""The panel's colours and the modules that draw its stage, embedded into pages that stand alone."""

import pathlib
import re

SITE = pathlib.Path(__file__).resolve().parents[2] / "Sources/CPanel/site"
#: What draws the stage, each after what it needs.
STAGE = ("head.js", "figure.js", "stage.js")


def colours():
    """The style that says what each colour is, light and dark."""
    return (SITE / "colours.css").read_text(encoding="utf-8")


def modules(*names):
    """Modules joined to one: a page that stands alone has nowhere to import from."""
    text = "".join((SITE / name).read_text(encoding="utf-8") for name in names)
    return re.sub(r"^export ", "", re.sub(r"^import .*;\n", "", text, flags=re.M), flags=re.M)


#: What a plot's fixed colours are in the page's own, where it is part of one.
IN_PAGES = {"#202124": "var(--ink)", "#5f6368": "var(--soft)", "#dadce0": "var(--line)", "#ffffff": "var(--card)", "#fde7b0": "var(--shaded)",
            "#8a5a00": "var(--warn)"}


def in_page(svg):
    """A plot as it is part of a page: its ink and paper are the page's, so that it is light or dark as that is."""
    for fixed, own in IN_PAGES.items():
        svg = svg.replace(f'"{fixed}"', f'"{own}"')
    return svg
