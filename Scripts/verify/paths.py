#!/usr/bin/env python3
"""Tests paths sent to the control interfaces of a session, as an unprivileged user: `record/start` and `plugin/save`
with every kind of path by OSC over UDP and TCP, HTTP, WebSocket, the Unix socket and `ctl`. No earlier file changes,
except chains saved by such a command; nothing appears outside the folders that the interface may write to; every
refusal has a message.

usage: paths.py PROGRAM
"""
import base64
import hashlib
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from free_ports import free_ports

NOBODY = 65534
PATIENCE = 60
COMMANDS = {"record/start": ".wav", "plugin/save": ""}


def listing(folder):
    """Returns the contents of a folder: a hash of each file, the target of each link."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = "-> " + os.readlink(path)
        elif path.is_file():
            try:
                found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
            except OSError:
                found[name] = "unreadable"
        else:
            found[name] = "folder"
    return found


def osc(address, *texts):
    def padded(text):
        data = text.encode() + b"\0"
        return data + b"\0" * (-len(data) % 4)
    return padded("/proscenium/" + address) + padded("," + "s" * len(texts)) + b"".join(map(padded, texts))


def osc_words(packet):
    return packet.decode(errors="replace").replace("\0", " ")


def by_udp(ports, address, text):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        door.settimeout(PATIENCE)
        door.sendto(osc(address, text), ("127.0.0.1", ports["osc"]))
        return osc_words(door.recv(65536))


def by_tcp(ports, address, text):
    with socket.create_connection(("127.0.0.1", ports["osc"]), PATIENCE) as door:
        packet = osc(address, text)
        door.sendall(struct.pack(">I", len(packet)) + packet)
        size = struct.unpack(">I", whole(door, 4))[0]
        return osc_words(whole(door, size))


def whole(door, count):
    data = b""
    while len(data) < count:
        more = door.recv(count - len(data))
        if not more:
            raise EOFError("the session closed the connection")
        data += more
    return data


def by_http(ports, address, text):
    body = json.dumps({"address": address, "arguments": [text]}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{ports['web']}/command", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()


def by_web_socket(ports, address, text):
    with socket.create_connection(("127.0.0.1", ports["web"]), PATIENCE) as door:
        key = base64.b64encode(os.urandom(16)).decode()
        door.sendall(f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{ports['web']}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += whole(door, 1)
        if b" 101 " not in head.splitlines()[0]:
            return head.decode()
        body = json.dumps({"id": 1, "address": address, "arguments": [text]}).encode()
        mask = os.urandom(4)
        length = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + struct.pack(">H", len(body))
        door.sendall(b"\x81" + length + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(body)))
        _, size = whole(door, 2)
        if size == 126:
            size = struct.unpack(">H", whole(door, 2))[0]
        return whole(door, size).decode()


def by_socket(ports, address, text):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.settimeout(PATIENCE)
        door.connect(ports["socket"])
        door.sendall(json.dumps({"id": 1, "address": address, "arguments": [text]}).encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            answer += whole(door, 1)
        return answer.decode()


def end_take(ports):
    """Completes the current take."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.settimeout(PATIENCE)
        door.connect(ports["socket"])
        door.sendall(b'{"id":1,"address":"record/stop"}\n')
        answer = b""
        while not answer.endswith(b"\n"):
            answer += whole(door, 1)


def by_ctl(ports, address, text):
    words = address.split("/")
    done = subprocess.run([ports["program"], "ctl", "--to", "paths", *words, "--", text], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=PATIENCE, cwd=ports["typed"])
    return ("refused " if done.returncode else "done ") + done.stdout + done.stderr


DOORS = {"OSC, UDP": by_udp, "OSC, TCP": by_tcp, "HTTP": by_http, "WebSocket": by_web_socket, "socket": by_socket, "ctl": by_ctl}
#: Interfaces of the session's own user, which may write anywhere by an absolute path.
OWN = {"socket", "ctl"}


def places(tree, end):
    """Returns every kind of path, its description, and whether an interface for the network and one for the user may
    write there."""
    name = "take" + end
    return [
        ("a new place below the recordings", str(tree / "takes" / name), True, True),
        ("a relative place", name, True, True),
        ("an empty folder elsewhere", str(tree / "empty" / name if end else tree / "empty"), False, True),
        ("a folder with files", str(tree / "mine" / name if end else tree / "mine"), False, bool(end)),
        ("a folder with files below the recordings", str(tree / "takes/mine" if not end else tree / "takes/mine.wav"), bool(end), bool(end)),
        ("the folder of recordings itself", str(tree / "takes"), False, False),
        ("no name", "", False, False),
        (".", ".", False, False),
        ("..", "..", False, False),
        ("~", "~", False, False),
        ("~/x", "~/x" + end, False, False),
        ("x/..", "x/..", False, False),
        ("../x", "../x" + end, False, None),
        ("a link to a folder of one's own", str(tree / "link" / name if end else tree / "link"), False, bool(end)),
        ("a link below the recordings", str(tree / "takes/link" / name if end else tree / "takes/link"), False, bool(end)),
        ("a missing folder", str(tree / "takes/none" / name), False, False),
        ("a folder without the right to write", str(tree / "locked" / name if end else tree / "locked"), False, False),
        ("a place of the system", "/etc/" + name, False, False),
        ("a device", "/dev/null", False, False),
        ("another kind of file", str(tree / "takes/evil.sh") if end else str(tree / "mine/film.wav"), False, False),
    ]


def made(tree):
    """Creates a tree with contents that must not change."""
    for folder in ["takes/mine", "empty", "mine/audio", "locked", "typed/x", "home"]:
        (tree / folder).mkdir(parents=True)
    for file in ["mine/audio/take1.wav", "mine/film.wav", "takes/mine/take1.wav", "takes/mine.wav", "locked/a.wav", "home/letter.txt", "typed/note.txt"]:
        (tree / file).write_text("precious")
    (tree / "link").symlink_to(tree / "mine")
    (tree / "takes/link").symlink_to(tree / "mine")
    (tree / "locked").chmod(0o555)


def session(program, tree, ports):
    """Runs a session, started in a folder that is then removed."""
    gone = tree / "gone"
    gone.mkdir()
    out = open(tree / "said", "w")
    process = subprocess.Popen([program, "run", "--fresh", "--quiet", "--name", "paths", "--layout", "stereo", "--hrtf", "generated", "--control",
                                str(ports["osc"]), "--http", str(ports["web"]), "--recordings", str(tree / "takes"),
                                "--session", str(tree / "session")], cwd=gone, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                               env=dict(os.environ, HOME=str(tree / "home"), PROSCENIUM_CACHE=str(tree / "cache")))
    end = time.monotonic() + 120
    while subprocess.run([program, "ctl", "--to", "paths", "mute", "off"], capture_output=True, stdin=subprocess.DEVNULL).returncode:
        if process.poll() is not None or time.monotonic() > end:
            print("FAIL  paths: the session did not begin: " + (tree / "said").read_text())
            sys.exit(1)
        time.sleep(0.2)
    gone.rmdir()
    return process


def judge(program, tree):
    """Sends every path to every interface; returns the outcomes."""
    osc_port, web = free_ports(2)
    ports = {"osc": osc_port, "web": web, "program": program, "typed": str(tree / "typed"),
             "socket": os.environ["XDG_RUNTIME_DIR"] + "/proscenium/paths.sock"}
    made(tree)
    process = session(program, tree, ports)
    for door, ask in DOORS.items():
        for command, end in COMMANDS.items():
            wrong = []
            kinds = places(tree, end)
            for what, path, by_network, by_user in kinds:
                wanted = by_user if door in OWN else by_network
                if door == "ctl" and not path.startswith(("/", "~")):
                    # On the command line, relative paths start at the working directory.
                    wanted = {"a relative place": True, "../x": True}.get(what, False)
                before = listing(tree)
                try:
                    said = ask(ports, command, path)
                except (OSError, EOFError, subprocess.TimeoutExpired) as error:
                    wrong.append(f"{what}: no answer ({error})")
                    continue
                is_done = "refused" not in said
                if wanted is not None and is_done != wanted:
                    wrong.append(f"{what}: {'done' if is_done else said.strip()}")
                if not is_done and len(said.strip()) < 30:
                    wrong.append(f"{what}: refused without words")
                if is_done and command == "record/start":
                    end_take(ports)
                after = listing(tree)
                own = str(pathlib.Path(path).relative_to(tree)) if is_done and path.startswith(str(tree)) else "take" + end
                for name, content in before.items():
                    stays = name.startswith(("session", "cache", "said")) or not end and (name + "/").startswith(own + "/")
                    if not stays and after.get(name) != content and name not in ("takes", "empty", "mine", "typed"):
                        wrong.append(f"{what}: {name} changed")
                if not is_done and (more := {n for n in after.keys() - before.keys() if not n.startswith(("session", "cache", "said"))}):
                    wrong.append(f"{what}: refused, and yet there is {', '.join(sorted(more))}")
                for new in after.keys() - before.keys():
                    if new.startswith("empty/"):
                        path_of = tree / new
                        shutil.rmtree(path_of) if path_of.is_dir() else path_of.unlink(missing_ok=True)
            yield f"{command}, {door}", not wrong, "; ".join(wrong) or f"{len(kinds)} places"
    alive = process.poll() is None
    process.terminate()
    status = process.wait(PATIENCE)
    yield "the session", alive and status in (0, 130, 143), f"{'played to its end' if alive else 'ended before'}, status {status}"


def inside(program, tree):
    failed = passed = 0
    for label, good, what in judge(program, tree):
        print(f"{'ok  ' if good else 'FAIL'}  {label}: {what}", flush=True)
        passed, failed = passed + good, failed + (not good)
    print(f"paths: {passed} passed, {failed} failed")
    return 1 if failed else 0


def main(program):
    # Root runs this as a user without rights, who cannot read folders of root.
    place = "/tmp" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        tree = pathlib.Path(folder).resolve() / "tree"
        tree.mkdir()
        copy = pathlib.Path(folder) / "bin/proscenium"
        copy.parent.mkdir()
        shutil.copy(program, copy)
        data = pathlib.Path(folder) / "share/proscenium"
        shutil.copytree(HERE.parent.parent / "HRTF", data / "HRTF")
        # An unprivileged user may not be able to read this script's folder.
        scripts = pathlib.Path(folder) / "Scripts"
        (scripts / "verify").mkdir(parents=True)
        for name in ["jack-sandbox", "free_ports.py", "verify/paths.py"]:
            shutil.copy(HERE.parent / name, scripts / name)
        # In a user namespace the user would have root's rights to its own files.
        command = [str(scripts / "jack-sandbox"), "--shared", "/usr/bin/python3", str(scripts / "verify/paths.py"), "--inside", str(copy), str(tree)]
        if os.geteuid() == 0:
            # Root may write everywhere: the session and its observer run as a user without rights.
            for path in [pathlib.Path(folder), tree]:
                os.chown(path, NOBODY, NOBODY)
            os.chmod(folder, 0o755)
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        environment = dict(os.environ, TMPDIR=folder, HOME=folder)
        return subprocess.run(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL).returncode


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--inside":
        sys.exit(inside(sys.argv[2], pathlib.Path(sys.argv[3])))
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
