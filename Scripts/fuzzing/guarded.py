"""What a program may do to files: all that lay there before stays as it was, and new files come up in folders that are said alone."""
import hashlib
import os
import stat

from .watching import Finding

#: Folders of an attempt, by their paths within it, in which files may come up, change and go: what the program keeps of its own
#: (its home), and what it is told to write to. `--allow` of Scripts/fuzz says others in their place.
ALLOWED = ["home", "open"]
#: What the runner itself writes beside them.
OWN = {"stderr.txt", "stdin.bin", "plugins", "commands.txt"}


def listing(root):
    """What lies under a folder, by path: kind, mode and content (a hash, or where a link leads); links are not followed."""
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
    """Looks at a folder before and after; `allowed`: folders within it that may change."""

    def __init__(self, root, allowed):
        self.root, self.allowed = str(root), [folder.rstrip("/") for folder in allowed]
        self.before = self.look()

    def look(self):
        """What lies there outside the folders that may change."""
        return {path: what for path, what in listing(self.root).items()
                if path.split("/")[0] not in OWN and not any(path == folder or path.startswith(folder + "/") for folder in self.allowed)}

    def judge(self):
        """Raises a Finding where something is otherwise than it was."""
        after = self.look()
        for path, what in sorted(self.before.items()):
            if path not in after:
                raise Finding(f"files: {what[0]} {path} is gone")
            if after[path] != what:
                raise Finding(f"files: {what[0]} {path} was changed")
        new = sorted(set(after) - set(self.before))
        if new:
            raise Finding(f"files: {after[new[0]][0]} {new[0]} came up outside {', '.join(self.allowed)}")
