import Gate

/// One line of a map: a control, and what it moves.
package struct SurfaceBinding: Hashable, Sendable {
    /// The control.
    package var control: SurfaceControl
    /// How an endless knob tells its steps; nil: the control tells its position.
    package var relative: RelativeEncoding?
    /// What it moves.
    package var address: String
    /// Which number of the address, by its name (`yaw`); nil: the first.
    package var part: String?
    /// The values at the control's foot and head; nil: see `FaderLaw`.
    package var from: Double?, to: Double?
    /// How much a step of an endless knob is, in the address's unit; nil: a 128th of the way.
    package var step: Double?
    /// The value that a press sets, as it is written; nil: a press turns the value over, or goes to the next word.
    package var value: [String]?
    /// What a press does to what is on or off; nil: `turnsOver` for notes, `follows` for controllers.
    package var press: Press?
    /// Whether the control takes hold of the value only where the value is, so that it does not leap.
    package var picksUp = false
    /// Whether the device is told what is in force.
    package var givesFeedback = true
    /// What tells whether a finger is on the control.
    package var touch: SurfaceControl?
    /// Keys that are not ours.
    package var kept: [String: JSONValue] = [:]

    /// What a press does to what is on or off.
    package enum Press: String, Sendable, CaseIterable {
        /// On becomes off and off on, each time it goes down.
        case turnsOver = "turn-over"
        /// On while it is down (a controller: at 64 and above), off while it is up.
        case follows = "follow"
    }

    /// A control that moves an address.
    package init(_ control: SurfaceControl, _ address: String, relative: RelativeEncoding? = nil) {
        (self.control, self.address, self.relative) = (control, address, relative)
    }
}

extension SurfaceBinding {
    init(_ json: JSONValue, at place: String) throws(SurfaceMapError) {
        var object = try KeptObject(json, at: place)
        let channel = try object.whole("channel", in: 1...16).map { UInt8($0 - 1) }
        let written = try object.text("control") ?? ""
        guard let control = SurfaceControl(written, channel: channel) else {
            throw SurfaceMapError(
                place + ".control",
                "is 'note N', 'cc N', 'cc14 N' (N below 32), 'bend', 'program' or 'program N', not '\(written)'")
        }
        guard let address = try object.text("address"), !address.isEmpty, !address.hasPrefix("/") else {
            throw SurfaceMapError(place + ".address", "is an address without '/' before it, as 'input/main/level'")
        }
        self.init(control, address)
        if let word = try object.text("turns") {
            guard let encoding = RelativeEncoding(rawValue: word), case .controller = control.kind else {
                let known = RelativeEncoding.allCases.map(\.rawValue).joined(separator: ", ")
                throw SurfaceMapError(place + ".turns", "is one of \(known), of a 'cc N'")
            }
            relative = encoding
        }
        part = try object.text("part")
        from = try object.number("from")
        to = try object.number("to")
        if let from, let to, from >= to { throw SurfaceMapError(place + ".from", "is not below 'to'") }
        step = try object.number("step")
        if let step, step <= 0 { throw SurfaceMapError(place + ".step", "is not above 0") }
        value = try object.written("value")
        if let word = try object.text("press") {
            guard let press = Press(rawValue: word) else {
                throw SurfaceMapError(place + ".press", "is 'turn-over' or 'follow', not '\(word)'")
            }
            self.press = press
        }
        picksUp = try object.truth("pickup") ?? false
        givesFeedback = try object.truth("feedback") ?? true
        if let written = try object.text("touch") {
            guard let touch = SurfaceControl(written, channel: channel), case .note = touch.kind else {
                throw SurfaceMapError(place + ".touch", "is 'note N', not '\(written)'")
            }
            self.touch = touch
        }
        kept = object.rest
    }

    /// As it stands in a map; what is as usual is left out.
    var json: JSONValue {
        var object = kept
        object["control"] = .text(control.written)
        object["channel"] = control.channel.map { .number(Double($0) + 1) }
        object["address"] = .text(address)
        object["turns"] = relative.map { .text($0.rawValue) }
        object["part"] = part.map { .text($0) }
        object["from"] = from.map { .number($0) }
        object["to"] = to.map { .number($0) }
        object["step"] = step.map { .number($0) }
        object["value"] = value.map(JSONValue.init(written:))
        object["press"] = press.map { .text($0.rawValue) }
        object["pickup"] = picksUp ? .truth(true) : nil
        object["feedback"] = givesFeedback ? nil : .truth(false)
        object["touch"] = touch.map { .text($0.written) }
        return .object(object)
    }
}
