"""Hooks of the site: the order of its pages, and the links that leave the documentation."""
import os
import pathlib
import re

#: Folders of Documentation in the order of the tabs, with their titles.
FOLDERS = {"tutorials": "Tutorials", "how-to": "How to", "explanation": "Explanation", "reference": "Reference",
           "measurements": "Measurements", "contributing": "Contributing"}
#: Pages that come first in their folder, in this order.
FIRST = ["first-stage.md", "head-tracker.md", "features.md", "how-it-works.md", "parameters.md", "commands.md", "measured.md"]
LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)")
FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)


def title(page):
    """Returns a page's first heading."""
    return next(line[2:].strip().replace("`", "") for line in page.read_text().splitlines() if line.startswith("# "))


def on_config(config):
    root = pathlib.Path(config.docs_dir)

    def place(page):
        return (FIRST.index(page.name) if page.name in FIRST else len(FIRST), title(page).lower())

    config.nav = [{"Proscenium": "README.md"}]
    for folder, name in FOLDERS.items():
        pages = sorted((root / folder).glob("*.md"), key=place)
        config.nav.append({name: [{title(page): page.relative_to(root).as_posix()} for page in pages]})
    config.nav[-1]["Contributing"].insert(0, {title(root / "architecture.md"): "architecture.md"})
    return config


def on_page_markdown(markdown, page, config, files):
    """Names the path where a link leads to a file outside the documentation: the site holds none of them."""
    root = pathlib.Path(config.docs_dir)
    folder = (root / page.file.src_uri).parent

    def kept(found):
        image, text, link = found.groups()
        path = link.partition("#")[0]
        there = pathlib.Path(os.path.normpath(folder / path))
        if image or there.is_relative_to(root) and not there.is_dir():
            return found.group()
        return f"{text} (`{os.path.relpath(there, root.parent)}`)"

    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(kept, part) for part in parts)
