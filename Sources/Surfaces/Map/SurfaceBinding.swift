import Gate

/// Entry of a map: a control, and the address of the parameter or action that it sets or executes.
package struct SurfaceBinding: Hashable, Sendable {
    /// Control.
    package var control: SurfaceControl
    /// Encoding of an endless knob; nil if the control sends its position.
    package var relative: RelativeEncoding?
    /// Address that the control sets.
    package var address: String
    /// Name of one number of the address (`yaw`); nil for the first number.
    package var part: String?
    /// Values at the control's lower and upper end; nil for the defaults of `FaderLaw`.
    package var from: Double?, to: Double?
    /// Size of a step of an endless knob, in the address's unit; nil for a 128th of the range.
    package var step: Double?
    /// Value that a press sets, in written form; nil toggles the value, selects the next word, or executes the action.
    package var value: [String]?
    /// Effect of a press on a switch; nil means `turnsOver` for notes and `follows` for controls with positions.
    package var press: Press?
    /// Whether the control has an effect only when its position has met the value, so that the value does not jump.
    package var picksUp = false
    /// Whether the device shows the present value.
    package var givesFeedback = true
    /// Control that reports whether a finger touches this one.
    package var touch: SurfaceControl?
    /// Unknown keys.
    package var kept: [String: JSONValue] = [:]

    /// Effect of a press on a switch.
    package enum Press: String, Sendable, CaseIterable {
        /// Each press toggles the switch.
        case turnsOver = "turn-over"
        /// The switch is on while the control is pressed (with positions: in the upper half), otherwise off.
        case follows = "follow"
    }

    /// Binds a control to an address.
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

    /// Binding as in a map. Default values are omitted.
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
