import Desk
import Gate

/// Addresses of the parameters and actions that are bound to the strips and buttons of a Mackie Control.
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
    /// Knob of a strip.
    package struct Knob: Hashable, Sendable {
        /// Address.
        package var address: String
        /// Name of one number of the address; nil for the first number.
        package var part: String?
        /// Size of a step, in the address's unit; nil for a 128th of the range.
        package var step: Double?
        /// Unknown keys.
        package var kept: [String: JSONValue] = [:]

        /// Creates a knob.
        package init(_ address: String, part: String? = nil, step: Double? = nil) {
            (self.address, self.part, self.step) = (address, part, step)
        }
    }

    /// Function of a button.
    package struct Button: Hashable, Sendable {
        /// Address.
        package var address: String
        /// Value that a press sets, in written form. Nil toggles, selects the next word, or executes the action.
        package var value: [String]?
        /// Unknown keys.
        package var kept: [String: JSONValue] = [:]

        /// Creates a button.
        package init(_ address: String, value: [String]? = nil) { (self.address, self.value) = (address, value) }
    }

    /// Channel of the map. The eight strips of the device show eight of the channels at a time.
    package struct Strip: Hashable, Sendable {
        /// Text above the fader.
        package var name: String
        /// Address of the fader.
        package var fader: String?
        /// Addresses that the buttons toggle.
        package var mute: String?, solo: String?, record: String?, select: String?
        /// Pages of the knob. The assignment buttons select one of them.
        package var knobs: [Knob] = []
        /// Unknown keys.
        package var kept: [String: JSONValue] = [:]

        /// Creates a strip without addresses.
        package init(_ name: String) { self.name = name }
    }

    /// Channels, from left to right.
    package var strips: [Strip] = []
    /// Address of the ninth fader.
    package var master: String?
    /// Functions of the buttons outside the strips, by their names in `MackieWire.buttons`.
    package var buttons: [String: Button] = [:]
    /// Whether the device is an extender, which has another model number in its texts and no ninth fader.
    package var isExtender = false
    /// Unknown keys.
    package var kept: [String: JSONValue] = [:]

    /// Creates a map without strips.
    package init() {}

    /// Creates a map with a strip for each input, given by its name. A strip has level, mute, solo, direction, width,
    /// and compression of dynamics. The ninth fader is the monitor's level.
    package init(inputs: [String]) {
        strips = inputs.map { name in
            var strip = Strip(name)
            func address(_ parameter: String) -> String { StateAddress.input(name, parameter).text }
            (strip.fader, strip.mute, strip.solo) = (address("level"), address("mute"), address("solo"))
            strip.knobs = [
                Knob(address("place"), part: "yaw", step: 1), Knob(address("place"), part: "pitch", step: 1),
                Knob(address("source-width"), step: 1), Knob(address("drc-cut")), Knob(address("drc-boost")),
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
