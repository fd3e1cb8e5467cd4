import Desk
import Stages

/// Mackie Control, or another device with its protocol. It converts messages of the device to requests, and present
/// values to messages. Callers pass the time in seconds, which must not decrease.
///
/// The device shows eight strips of the map at a time. The bank buttons shift them by eight, the channel buttons by
/// one. The upper line shows the names. The lower line shows the fader's value, or for a short time the value that was
/// moved last. The first six assignment buttons select the page of knobs. Pressing a knob resets it to its default.
package struct MackieSurface: Sendable {
    /// Time for which a strip shows the value that was moved, seconds.
    static let glance = 1.5

    /// Faults of the map, one sentence each. The faulty entries have no effect.
    package private(set) var faults: [String] = []
    private(set) var channels: [MackieChannel] = []
    private(set) var master: SurfaceTarget?
    private(set) var buttons: [UInt8: (target: SurfaceTarget, preset: ParameterValue?)] = [:]
    let isExtender: Bool
    private let map: MackieMap
    private let table: SurfaceTable
    /// Scales of plugin controls, as far as they are known.
    private var controls: [String: SurfaceScale] = [:]
    var state = SurfaceState()
    /// First channel on the strips, and page of knobs.
    var first = 0
    var page = 0
    /// Channel whose select button was pressed last, if the button is not bound.
    var selected: Int?
    /// Positions of the nine faders.
    var motors = Array(repeating: MotorPosition(wantsEcho: true), count: MackieWire.stripCount + 1)
    /// Values that strips show for a short time in place of their level, and the end of that time.
    var glances: [Int: (target: SurfaceTarget, until: Double)] = [:]
    /// State of the display.
    var shown = MackieDisplay()

    /// Creates a surface from the strips of a map. `table`: scales of the session's addresses.
    package init(_ map: MackieMap, table: @escaping SurfaceTable = SurfaceScale.table) {
        isExtender = map.isExtender
        (self.map, self.table) = (map, table)
        faults = lookUp()
    }

    /// Looks up the addresses of the map in the table. Returns the faults.
    private mutating func lookUp() -> [String] {
        var faults: [String] = []
        channels = map.strips.map { MackieChannel($0, table, &faults) }
        master = map.master.flatMap { MackieChannel.target($0, nil, table, "master fader", &faults, mustMove: true) }
        buttons = [:]
        for (word, button) in map.buttons.sorted(by: { $0.key < $1.key }) {
            guard let note = MackieWire.buttons[word],
                let target = MackieChannel.target(button.address, nil, table, "button '\(word)'", &faults)
            else { continue }
            let preset = button.value.flatMap(target.scale.value(of:))
            guard button.value == nil ? target.scale.isPressable : preset != nil else {
                faults.append(
                    SurfaceMapError("button '\(word)'", "needs a value that \(button.address) takes").description)
                continue
            }
            buttons[note] = (target, preset)
        }
        return faults
    }

    /// Looks up all addresses again if the scale of a plugin's control has changed.
    private mutating func renew(_ changes: [(address: String, value: ParameterValue)]) {
        var isOther = false
        for (address, _) in changes where StateAddress(address).isPluginControl {
            guard let scale = table(address), controls[address] != scale else { continue }
            controls[address] = scale
            isOther = true
        }
        if isOther { _ = lookUp() }
    }

    /// Processes a message of the device.
    package mutating func receive(_ message: MIDIMessage, at now: Double) -> SurfaceOutput {
        guard let event = MackieWire.event(message) else { return SurfaceOutput() }
        var output = SurfaceOutput()
        switch event {
        case .fader(let index, let position):
            motors[index].moved(to: position, at: now)
            guard let target = fader(index) else { break }
            let place = Double(position) / Double(MackieWire.fullScale)
            request(target, target.value(at: place, from: present(target, now)), strip: index, now, &output)
        case .touch(let index, let isDown): motors[index].touch(isDown, at: now)
        case .knob(let strip, let steps):
            guard let knob = channel(strip)?.knob(page), steps != 0 else { break }
            let value = knob.target.value(steps, of: knob.step, from: present(knob.target, now))
            request(knob.target, value, strip: strip, now, &output)
        case .strip(.knob, let strip, isDown: true):
            guard let knob = channel(strip)?.knob(page) else { break }
            request(knob.target, knob.target.standard(in: present(knob.target, now)), strip: strip, now, &output)
        case .strip(let button, let strip, isDown: true): press(button, strip, now, &output)
        case .button(let note, isDown: true): press(note, now, &output)
        case .strip, .button: break
        }
        output.messages += redraw(at: now)
        return output
    }

    /// Processes values that have changed in the session. Returns the messages for the device.
    package mutating func hear(_ changes: [(address: String, value: ParameterValue)], at now: Double) -> [MIDIMessage] {
        renew(changes)
        var isOther = false
        for (address, value) in changes where state.hear(address, value) { isOther = true }
        return isOther ? redraw(at: now) : []
    }

    /// Removes values that the session no longer has. Returns the messages for the device.
    package mutating func forget(_ addresses: [String], at now: Double) -> [MIDIMessage] {
        var isOther = false
        for address in addresses where state.forget(address) { isOther = true }
        return isOther ? redraw(at: now) : []
    }

    /// Called when the session has refused a request. Returns the messages that reset the device to the present value.
    package mutating func refused(_ address: String, at now: Double) -> [MIDIMessage] {
        state.refuse(address)
        return redraw(at: now)
    }

    /// Returns the messages that were held back while a fader was touched or had just been moved, or that end the
    /// display of a moved value.
    package mutating func settle(at now: Double) -> [MIDIMessage] { redraw(at: now) }

    /// Time of the next delayed message, seconds; nil if there is none.
    package var next: Double? { (motors.compactMap(\.next) + glances.values.map(\.until)).min() }

    /// Returns the messages for all values and texts, for a device that was just connected.
    package mutating func refresh(at now: Double) -> [MIDIMessage] {
        shown = MackieDisplay()
        for index in motors.indices { motors[index].forget() }
        return redraw(at: now)
    }

    // MARK: Buttons

    private mutating func press(
        _ button: MackieWire.StripButton, _ strip: Int, _ now: Double, _ output: inout SurfaceOutput
    ) {
        guard let channel = channel(strip) else { return }
        if let target = channel.buttons[button] {
            if target.scale.isDeed {
                output.requests.append(SurfaceRequest(target.address))
            } else {
                request(target, target.pressed(from: present(target, now)), strip: strip, now, &output)
            }
        } else if button == .select {
            selected = selected == first + strip ? nil : first + strip
        }
    }

    private mutating func press(_ note: UInt8, _ now: Double, _ output: inout SurfaceOutput) {
        if let (target, preset) = buttons[note] {
            if target.scale.isDeed {
                output.requests.append(SurfaceRequest(target.address))
            } else if let value = preset ?? target.pressed(from: present(target, now)) {
                output.requests.append(state.request(target.address, value, at: now))
            }
            return
        }
        let last = max(0, channels.count - MackieWire.stripCount)
        switch note {
        case MackieWire.bankLeft: first = max(0, first - MackieWire.stripCount)
        case MackieWire.bankRight: first = min(last, first + MackieWire.stripCount)
        case MackieWire.channelLeft: first = max(0, first - 1)
        case MackieWire.channelRight: first = min(last, first + 1)
        case MackieWire.assignment..<MackieWire.assignment + UInt8(MackieWire.assignmentCount):
            let wanted = Int(note - MackieWire.assignment)
            if channels.contains(where: { wanted < $0.knobs.count }) { page = wanted }
        default: return
        }
        if (MackieWire.bankLeft...MackieWire.channelRight).contains(note) { glances = [:] }
    }

    // MARK: Channels

    func channel(_ strip: Int) -> MackieChannel? {
        first + strip < channels.count ? channels[first + strip] : nil
    }

    func fader(_ index: Int) -> SurfaceTarget? {
        index == MackieWire.master ? master : channel(index)?.fader
    }

    private func present(_ target: SurfaceTarget, _ now: Double) -> ParameterValue? {
        state.present(target.address, at: now)
    }

    private mutating func request(
        _ target: SurfaceTarget, _ value: ParameterValue?, strip: Int, _ now: Double, _ output: inout SurfaceOutput
    ) {
        guard let value else { return }
        output.requests.append(state.request(target.address, value, at: now))
        if strip < MackieWire.stripCount { glances[strip] = (target, now + Self.glance) }
    }
}

extension SurfaceTarget {
    /// Returns the default value, with the address's other numbers kept. If the default is unknown, it is 0 for a
    /// number whose range contains 0, otherwise nil.
    func standard(in now: ParameterValue?) -> ParameterValue? {
        guard let standard = scale.standard else { return law?.range.contains(0) == true ? number(0, in: now) : nil }
        guard scale.numbers.count > 1, part < standard.numbers.count else { return standard }
        return number(standard.numbers[part], in: now)
    }
}
