"""The panel's colours and its modules that draw the stage, for embedding into self-contained pages."""

import pathlib
import re

SITE = pathlib.Path(__file__).resolve().parents[2] / "Sources/CPanel/site"
#: Modules that draw the stage, in order of dependency.
STAGE = ("head.js", "figure.js", "stage.js")


def colours():
    """Returns the style that defines the colours, light and dark."""
    return (SITE / "colours.css").read_text(encoding="utf-8")


def modules(*names):
    """Joins modules to one: a self-contained page has no modules to import."""
    text = "".join((SITE / name).read_text(encoding="utf-8") for name in names)
    return re.sub(r"^export ", "", re.sub(r"^import .*;\n", "", text, flags=re.M), flags=re.M)


#: Replacements of a plot's fixed colours by the page's variables, for an embedded plot.
IN_PAGES = {"#202124": "var(--ink)", "#5f6368": "var(--soft)", "#dadce0": "var(--line)", "#ffffff": "var(--card)", "#fde7b0": "var(--shaded)",
            "#8a5a00": "var(--warn)"}


def in_page(svg):
    """Returns a plot for embedding: with the page's ink and paper, so that it follows the light or dark theme."""
    for fixed, own in IN_PAGES.items():
        svg = svg.replace(f'"{fixed}"', f'"{own}"')
    return svg
