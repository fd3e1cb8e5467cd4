import Gate

/// What the strips and buttons of a Mackie Control move.
///
/// ```
/// "mackie": {
///   "strips": [
///     {"name": "Main", "fader": "input/main/level", "mute": "input/main/mute",
///      "knobs": [{"address": "input/main/place", "part": "yaw"}, "input/main/source-width"]}
///   ],
///   "buttons": {"play": {"address": "resume"}, "f1": {"address": "mode", "value": "fixed"}}
/// }
/// ```
package struct MackieMap: Hashable, Sendable {
    /// Something that an address is moved by.
    package struct Knob: Hashable, Sendable {
        /// The address.
        package var address: String
        /// Which of its numbers, by name; nil: the first.
        package var part: String?
        /// How much a step is, in the address's unit; nil: a 128th of the way.
        package var step: Double?
        /// Keys that are not ours.
        package var kept: [String: JSONValue] = [:]

        /// A knob.
        package init(_ address: String, part: String? = nil, step: Double? = nil) {
            (self.address, self.part, self.step) = (address, part, step)
        }
    }

    /// What a button does.
    package struct Button: Hashable, Sendable {
        /// The address.
        package var address: String
        /// The value it sets, as it is written; nil: it turns over, goes on to the next word, or does something.
        package var value: [String]?
        /// Keys that are not ours.
        package var kept: [String: JSONValue] = [:]

        /// A button.
        package init(_ address: String, value: [String]? = nil) { (self.address, self.value) = (address, value) }
    }

    /// One channel, which any of the eight strips may show.
    package struct Strip: Hashable, Sendable {
        /// What is written above the fader.
        package var name: String
        /// What the fader moves.
        package var fader: String?
        /// What the buttons turn over.
        package var mute: String?, solo: String?, record: String?, select: String?
        /// What the knob moves: of several, the one that the assignment buttons choose.
        package var knobs: [Knob] = []
        /// Keys that are not ours.
        package var kept: [String: JSONValue] = [:]

        /// A strip without anything.
        package init(_ name: String) { self.name = name }
    }

    /// The channels, from the left.
    package var strips: [Strip] = []
    /// What the ninth fader moves.
    package var master: String?
    /// What buttons beside the strips do, by the words of `MackieWire.buttons`.
    package var buttons: [String: Button] = [:]
    /// Whether it is an extender, which has another number in its texts and no ninth fader.
    package var isExtender = false
    /// Keys that are not ours.
    package var kept: [String: JSONValue] = [:]

    /// A map without strips.
    package init() {}

    /// A strip for each input, as they are called: level, mute, solo, direction, width, and how far dynamics are
    /// compressed. The ninth fader is the monitor's level.
    package init(inputs: [String]) {
        strips = inputs.map { name in
            var strip = Strip(name)
            let address = "input/\(name)/"
            (strip.fader, strip.mute, strip.solo) = (address + "level", address + "mute", address + "solo")
            strip.knobs = [
                Knob(address + "place", part: "yaw", step: 1), Knob(address + "place", part: "pitch", step: 1),
                Knob(address + "source-width", step: 1), Knob(address + "drc-cut"), Knob(address + "drc-boost"),
            ]
            return strip
        }
        master = "monitor-level"
        buttons = [
            "play": Button("resume"), "zoom": Button("recentre"), "record": Button("record"),
            "marker": Button("record/marker"), "solo": Button("solo-clear", value: ["all"]), "f1": Button("dim"),
            "f2": Button("mono"), "f3": Button("monitor-mute"),
        ]
    }
}

extension MackieMap {
    init(_ json: JSONValue, at place: String) throws(SurfaceMapError) {
        self.init()
        var object = try KeptObject(json, at: place)
        for (index, json) in (try object.list("strips") ?? []).enumerated() {
            strips.append(try Strip(json, at: "\(place).strips[\(index)]"))
        }
        master = try object.text("master")
        isExtender = try object.truth("extender") ?? false
        if let json = object.take("buttons") {
            let words = try KeptObject(json, at: place + ".buttons").rest
            for (word, json) in words.sorted(by: { $0.key < $1.key }) {
                guard MackieWire.buttons[word] != nil else {
                    let known = MackieWire.buttons.keys.sorted().joined(separator: ", ")
                    throw SurfaceMapError("\(place).buttons.\(word)", "is no button; there are \(known)")
                }
                buttons[word] = try Button(json, at: "\(place).buttons.\(word)")
            }
        }
        kept = object.rest
    }

    var json: JSONValue {
        var object = kept
        object["strips"] = .list(strips.map(\.json))
        object["master"] = master.map { .text($0) }
        object["extender"] = isExtender ? .truth(true) : nil
        object["buttons"] = buttons.isEmpty ? nil : .object(buttons.mapValues(\.json))
        return .object(object)
    }
}

extension MackieMap.Strip {
    init(_ json: JSONValue, at place: String) throws(SurfaceMapError) {
        var object = try KeptObject(json, at: place)
        self.init(try object.text("name") ?? "")
        fader = try object.text("fader")
        mute = try object.text("mute")
        solo = try object.text("solo")
        record = try object.text("record")
        select = try object.text("select")
        for (index, json) in (try object.list("knobs") ?? []).enumerated() {
            knobs.append(try MackieMap.Knob(json, at: "\(place).knobs[\(index)]"))
        }
        kept = object.rest
    }

    var json: JSONValue {
        var object = kept
        object["name"] = .text(name)
        for (key, address) in [
            ("fader", fader), ("mute", mute), ("solo", solo), ("record", record), ("select", select),
        ] {
            object[key] = address.map { .text($0) }
        }
        object["knobs"] = knobs.isEmpty ? nil : .list(knobs.map(\.json))
        return .object(object)
    }
}

extension MackieMap.Knob {
    init(_ json: JSONValue, at place: String) throws(SurfaceMapError) {
        if case .text(let address) = json {
            self.init(address)
            return
        }
        var object = try KeptObject(json, at: place)
        guard let address = try object.text("address") else { throw SurfaceMapError(place, "has no address") }
        self.init(address, part: try object.text("part"), step: try object.number("step"))
        if let step, step <= 0 { throw SurfaceMapError(place + ".step", "is not above 0") }
        kept = object.rest
    }

    var json: JSONValue {
        if part == nil, step == nil, kept.isEmpty { return .text(address) }
        var object = kept
        object["address"] = .text(address)
        object["part"] = part.map { .text($0) }
        object["step"] = step.map { .number($0) }
        return .object(object)
    }
}

extension MackieMap.Button {
    init(_ json: JSONValue, at place: String) throws(SurfaceMapError) {
        var object = try KeptObject(json, at: place)
        guard let address = try object.text("address") else { throw SurfaceMapError(place, "has no address") }
        self.init(address, value: try object.written("value"))
        kept = object.rest
    }

    var json: JSONValue {
        var object = kept
        object["address"] = .text(address)
        object["value"] = value.map(JSONValue.init(written:))
        return .object(object)
    }
}
