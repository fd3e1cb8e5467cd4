"""Permitted changes of files by a program: existing files stay as they are, and new ones appear only in given
folders."""
import hashlib
import os
import stat

from .watching import Finding

#: Folders of an attempt, by their paths within it, in which files may appear, change and disappear: the program's home,
#: and the folder for its output. `--allow` of Scripts/fuzz replaces them.
ALLOWED = ["home", "open"]
#: Files that the runner itself writes beside them.
OWN = {"stderr.txt", "stdin.bin", "plugins", "commands.txt"}


def listing(root):
    """Returns the contents of a folder by path: kind, mode and content (a hash, or a link's target); links are not
    followed."""
    found = {}
    pending = [root]
    while pending:
        place = pending.pop()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue
        for entry in entries:
            path = os.path.relpath(entry.path, root)
            try:
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    found[path] = ("folder", status.st_mode & 0o7777, "")
                    pending.append(entry.path)
                elif stat.S_ISLNK(status.st_mode):
                    found[path] = ("link", 0, os.readlink(entry.path))
                elif stat.S_ISREG(status.st_mode):
                    with open(entry.path, "rb") as file:
                        found[path] = ("file", status.st_mode & 0o7777, hashlib.file_digest(file, "sha256").hexdigest())
                else:
                    found[path] = ("special", stat.S_IFMT(status.st_mode), "")
            except FileNotFoundError:
                continue
    return found


class Guard:
    """Compares a folder before and after; `allowed`: folders within it that may change."""

    def __init__(self, root, allowed):
        self.root, self.allowed = str(root), [folder.rstrip("/") for folder in allowed]
        self.before = self.look()

    def look(self):
        """Returns the contents outside the folders that may change."""
        return {path: what for path, what in listing(self.root).items()
                if path.split("/")[0] not in OWN and not any(path == folder or path.startswith(folder + "/") for folder in self.allowed)}

    def judge(self):
        """Raises a Finding if a file has changed."""
        after = self.look()
        for path, what in sorted(self.before.items()):
            if path not in after:
                raise Finding(f"files: {what[0]} {path} is gone")
            if after[path] != what:
                raise Finding(f"files: {what[0]} {path} was changed")
        new = sorted(set(after) - set(self.before))
        if new:
            raise Finding(f"files: {after[new[0]][0]} {new[0]} appeared outside {', '.join(self.allowed)}")
