"""Model of a session's state after commands, written only from the documents, and commands drawn at random from the
table of parameters (Documentation/reference/parameters.md), so that new ones are included."""
import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Documentation/reference/parameters.md"
#: Rows that change scenes, each with separate values: they are not values themselves. Also texts of rows that accept
#: any text.
LEFT_OUT = {"scene", "scene-clear", "abx", "abx-listen", "abx-answer"}
TEXTS = {"layout": ["stereo", "5.1", "7.1"], "hrtf": ["default", "generated"], "room-name": ["none", "studio"]}
#: Values of a stage: each scene has its own. They cannot change without a server.
OF_STAGE = {"layout", "hrtf", "room-name", "angles", "ambisonics", "processing", "diffuse-field", "bass", "phase",
            "head-circumference", "distance", "voice-distance", "slice", "gain", "lfe-gain", "limiter", "room-early",
            "room-tail", "room-level"}
#: Parameters of inputs that already act on the effects they send to: a command without a named input omits effects.
PASSED_ON = {"level", "polarity", "programme-loudness", "dialnorm", "loudness-target", "drc", "drc-cut", "drc-boost"}
#: Values that do not exist until a command sets them.
UNSAID = {"calibrated-level", "dialnorm", "drc", "loudness-target", "programme-loudness"}
#: Seconds within which movements of a fader form one step, and number of steps kept.
GESTURE, KEPT = 0.5, 100


class Row:
    """A row of the table: the values of a parameter."""

    def __init__(self, name, takes, when):
        self.name, self.takes, self.later = name, takes, "later" in when
        numbers = re.search(r"(-?[\d.]+) to (-?[\d.]+)", takes)
        names = re.match(r"((?:\[?[a-z]+\]? )*\[?[a-z]+\]?), -?[\d.]+ to", takes)
        self.count = 0 if not numbers else len(names[1].split()) if names else 1
        self.least = 1 if names and "[" in names[1] else self.count
        self.range = (float(numbers[1]), float(numbers[2])) if numbers else None
        self.whole = "whole" in takes
        rest = takes.split(", or ")[-1] if numbers and ", or " in takes else "" if numbers else takes
        # Of a row that takes any text, only the words.
        rest = rest if "name" not in rest else rest.split(", or ")[1] if ", or " in rest else ""
        self.words = [word for word in re.split(r", | or ", rest) if re.fullmatch(r"[a-z0-9.-]+", word)]

    def value(self, chance):
        """Returns one of its values: a list of numbers, or a word; None if the table's words give none."""
        if self.name in TEXTS:
            return chance.choice(TEXTS[self.name])
        if self.words and (not self.range or chance.randrange(3) == 0):
            return chance.choice(self.words)
        if not self.range:
            return None
        low, high = self.range
        if self.name == "place":
            # Beyond a quarter turn the same place has other angles: the value read back would differ from the one set.
            return [round(chance.uniform(-limit, limit), 2) for limit in (170, 80, 170)]
        values = [chance.choice([low, high, round(chance.uniform(low, high), 2)]) for _ in range(self.count)]
        return [float(round(value)) for value in values] if self.whole else values


def table():
    """Returns the rows that can be set while a session runs."""
    rows = [line.split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    found = [Row(cells[0].strip("| `"), cells[1], cells[3]) for cells in rows]
    return [row for row in found if row.later and row.name not in LEFT_OUT]


def alike(one, other):
    """Whether two values are equal at the precision of the control interfaces."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(alike(a, b) for a, b in zip(one, other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) < 2e-3
    return one == other


def plain(value):
    return value[0] if isinstance(value, list) and len(value) == 1 else value


class Model:
    """The state, its history, and the values before a comparison."""

    def __init__(self, values, kinds, effects=()):
        #: Scope of each parameter: "session", "input" or "loudspeaker".
        self.kinds, self.effects = kinds, effects
        self.values = self.meant(values)
        self.inputs = sorted({address.split("/")[1] for address in values if address.startswith("input/")})
        self.loudspeakers = list(dict.fromkeys(address.split("/")[1] for address in values if address.startswith("loudspeaker/")))
        self.done, self.undone, self.modes = [], [], {}
        #: The current scene, the values of the other scenes, and the values kept for loudspeakers and for the room's
        #: switch while the stage lacks them.
        self.scene, self.others, self.hidden = "a", {}, {}

    def differences(self, told):
        """Returns the differences between reported and expected values."""
        wrong = {} if told.get("scene") == self.scene else {"scene": (self.scene, told.get("scene"))}
        scenes = "".join(sorted([self.scene, *self.others]))
        if told.get("scenes") != scenes:
            wrong["scenes"] = (scenes, told.get("scenes"))
        told = self.meant(told)
        return wrong | {address: (self.values.get(address), told.get(address)) for address in self.values.keys() | told.keys()
                if not alike(self.values.get(address), told.get(address))}

    def meant(self, values):
        """Returns the values that a command can set; the rest are facts."""
        return {address: value for address, value in values.items()
                if address in self.kinds or address.split("/")[0] in ("input", "loudspeaker", "plugin")}

    # Effects of commands

    def put(self, row, target, value):
        """Updates the state and the remembered modes after a parameter was set without a refusal."""
        values, modes, name, value = dict(self.values), dict(self.modes), row.name, plain(value)
        if self.kinds[name] == "loudspeaker":
            word = name.removeprefix("loudspeaker-")
            if word == "test-noise":
                self._noise(values, target, value)
                return values, modes
            meant = [target] if target else self.loudspeakers
            soloed = [other for other in self.loudspeakers if values[f"loudspeaker/{other}/solo"] == "on"]
            for other in meant:
                self._set(values, f"loudspeaker/{other}/{word}", value)
            if word == "solo" and values["solo-mode"] == "exclusive" and target and target not in soloed and \
                    values[f"loudspeaker/{target}/solo"] == "on":
                for other in soloed:
                    values[f"loudspeaker/{other}/solo"] = "off"
                self._forget_solos()
        elif self.kinds[name] == "input":
            meant = [target] if target else [each for each in self.inputs if not (name in PASSED_ON and each in self.effects)]
            for each in meant:
                address = f"input/{each}/{name}"
                # An input does not get an unsuitable value; a value that was unset before is set now.
                if name == "upmix" and isinstance(value, list):
                    for amount, number in zip(("centre", "width", "ambience"), value if address in values else []):
                        values[f"{address}-{amount}"] = number
                elif address in values or name in PASSED_ON:
                    self._set(values, address, value)
            if name == "dialnorm":
                for each in meant:
                    values[f"input/{each}/dialnorm"] = -31.0 if value == 0 else value
            if name == "mode" and values["compare"] != "off" and \
                    any(values[f"input/{each}/mode"] != self.values[f"input/{each}/mode"] for each in meant):
                values.update({f"input/{each}/mode": mode for each, mode in modes.items() if each not in meant})
                values["compare"], modes = "off", {}
            if name == "solo" and values["solo-mode"] == "exclusive" and target and values[f"input/{target}/solo"] == "on":
                for other in self.inputs:
                    if other != target:
                        values[f"input/{other}/solo"] = "off"
        elif name == "solo-clear":
            for kind in ("input", "loudspeaker"):
                if value in ("all", kind + "s"):
                    for address in values:
                        if address.startswith(kind + "/") and address.endswith("/solo"):
                            values[address] = "off"
            if value != "inputs":
                self._forget_solos()
        elif name == "room-name":
            values[name] = value
            values.pop("room", None)
            if value != "none":
                values["room"] = "on"
        elif name == "compare":
            if value == "off":
                for each, mode in modes.items():
                    values[f"input/{each}/mode"] = mode
                modes = {}
            else:
                for each in self.inputs:
                    modes.setdefault(each, values[f"input/{each}/mode"])
                    values[f"input/{each}/mode"] = {"bypass": "off"}.get(value, value)
            values["compare"] = value
        elif name == "monitor-source":
            values[name] = {"stage": "reference", "reference": "stage"}[values[name]] if value == "toggle" else value
            if values[name] == "reference":
                self._needs(values, "reference-input")
        elif name == "talkback":
            self._set(values, name, value)
            if values[name] == "on":
                self._needs(values, "talkback-input")
        elif name == "reference-level":
            values["monitor-level"] = value - values["calibrated-level"]
        else:
            self._set(values, name, value)
        if values.get("calibrated-level") is not None:
            values["reference-level"] = values["calibrated-level"] + values["monitor-level"]
        self._follow_inputs(values)
        return values, modes

    def _forget_solos(self):
        """Sets the kept solos of absent loudspeakers to off, together with the others."""
        self.hidden.update({address: "off" for address in self.hidden if address.endswith("/solo")})

    # Stages

    def settle(self, values, told):
        """Updates the values for a new stage: those that the former stage lacked return to their last values, or to the
        reported ones."""
        told, gone = self.meant(told), []
        for address in values.keys() - told.keys():
            kind = address.split("/")[0]
            if kind in ("loudspeaker", "room"):
                self.hidden[address] = values[address]
            if kind in ("loudspeaker", "room", "input"):
                gone.append(address)
        for address in gone:
            del values[address]
        for address in told.keys() - values.keys():
            kind = address.split("/")[0]
            if kind in ("loudspeaker", "room"):
                values[address] = self.hidden.get(address, told[address])
            elif kind == "input":
                values[address] = told[address]
        self.loudspeakers = list(dict.fromkeys(address.split("/")[1] for address in told if address.startswith("loudspeaker/")))
        return values

    def of_scene(self):
        return {address: value for address, value in self.values.items() if address in OF_STAGE or address.startswith("plugin/")}

    def clear(self, scene):
        """Removes a scene that is not current, and the steps made in it."""
        self.others.pop(scene, None)
        self.done = [step for step in self.done if step["scene"] != scene]
        self.undone = [step for step in self.undone if step["scene"] != scene]

    def hear(self, scene, told):
        """Makes a scene current."""
        if scene != self.scene:
            own, rest = self.of_scene(), {address: value for address, value in self.values.items() if address not in self.of_scene()}
            self.values = rest | self.others.pop(scene, own)
            self.others[self.scene], self.scene = own, scene
        self.settle(self.values, told)

    def _needs(self, values, name):
        """Raises KeyError if an input past the stage is missing."""
        if values[name] != "on":
            raise KeyError(name)

    def _follow_inputs(self, values):
        """Resets the monitor source and the talkback if their input is missing."""
        for name, heard, rest in (("reference-input", "monitor-source", "stage"), ("talkback-input", "talkback", "off")):
            if values[name] == "off":
                values[heard] = rest

    def _set(self, values, address, value):
        values[address] = {"on": "off", "off": "on"}[values[address]] if value == "toggle" else value

    def _noise(self, values, target, value):
        playing = next((each for each in self.loudspeakers if values[f"loudspeaker/{each}/test-noise"] == "on"), None)
        usual = next((each for each in ("FC", "M") if each in self.loudspeakers), self.loudspeakers[0])
        own = playing is not None and target in (None, playing)
        if value == "on" or value == "toggle" and not own:
            playing = target or usual
        elif own or target is None:
            playing = None
        else:
            return
        self.hidden.update({address: "off" for address in self.hidden if address.endswith("/test-noise")})
        for each in self.loudspeakers:
            values[f"loudspeaker/{each}/test-noise"] = "on" if each == playing else "off"

    def plugins(self, values=None):
        return {address: value for address, value in (values or self.values).items() if address.startswith("plugin/")}

    # The history

    def step(self, values, of_plugins):
        """Returns the addresses and values of a step, before and after."""
        return {address: (self.values.get(address), values.get(address)) for address in self.values.keys() | values.keys()
                if not alike(self.values.get(address), values.get(address)) and address.startswith("plugin/") == of_plugins
                and not address.endswith("/test-noise") and address != "talkback"}

    def note(self, values, modes, time, of_plugins=False, chains=False):
        """Adds a command to the history."""
        step = {"chains": (self.plugins(), self.plugins(values)) if chains else None,
                "values": {} if chains else self.step(values, of_plugins), "time": time}
        step["scene"] = self.scene if of_plugins or OF_STAGE & step["values"].keys() else None
        self.values, self.modes = values, modes
        if not step["values"] and not chains:
            return
        self.undone = []
        last = self.done[-1] if self.done else None
        if self.joins(step["values"], time) and not chains:
            for address, (_, after) in step["values"].items():
                last["values"][address] = (last["values"][address][0], after)
            last["time"] = time
            if all(alike(before, after) for before, after in last["values"].values()):
                self.done.pop()
            return
        self.done = (self.done + [step])[-KEPT:]

    def joins(self, values, time, gesture=GESTURE):
        """Whether a step is merged with the last one."""
        last = self.done[-1] if self.done else None
        return bool(last and not last["chains"] and time - last["time"] < gesture and
                    last["values"].keys() == values.keys() and last["scene"] in (None, self.scene))

    def turn(self, word, told):
        """Undoes or redoes a step of this scene; returns whether there was one. `told` returns the state after the
        stage was rebuilt."""
        source, target, side = (self.done, self.undone, 0) if word == "undo" else (self.undone, self.done, 1)
        if not source or source[-1]["scene"] not in (None, self.scene):
            return False
        step = source.pop()
        target.append(step)
        before, built = dict(self.values), OF_STAGE & step["values"].keys()
        if step["chains"]:
            self.values = {address: value for address, value in self.values.items() if not address.startswith("plugin/")}
            self.values.update(step["chains"][side])
        if "compare" in step["values"]:
            self._turn_comparison(before, step["values"]["compare"][side])
        elif self.values["compare"] != "off" and any(
                address.endswith("/mode") and not alike(pair[side], before.get(address)) for address, pair in step["values"].items()):
            self.values["compare"], self.modes = "off", {}
        for address, pair in sorted(step["values"].items()):
            # Values that the stage lacks cannot be reported, except those that may be unset.
            if address.split("/")[-1] in UNSAID:
                self.values.pop(address, None)
                if pair[side] is not None:
                    self.values[address] = pair[side]
            elif pair[side] is not None and (built or address in self.values):
                self.values[address] = pair[side]
        if built:
            self.settle(self.values, told({name: self.values[name] for name in built}))
        self.values.pop("reference-level", None)
        if self.values.get("calibrated-level") is not None:
            self.values["reference-level"] = self.values["calibrated-level"] + self.values["monitor-level"]
        self._follow_inputs(self.values)
        return True

    def _turn_comparison(self, before, compared):
        if compared == "off":
            self.modes = {}
        else:
            for each in self.inputs:
                self.modes.setdefault(each, before[f"input/{each}/mode"])
