import Desk
import Stages

/// A device whose controls are bound one by one: messages in, requests out; values in force in, messages out. A value,
/// to which time is told in seconds that do not run backwards.
package struct MIDISurface: Sendable {
    /// What is wrong with bindings, which are left out; a sentence each.
    package private(set) var faults: [String] = []
    private var lines: [SurfaceLine] = []
    private var state = SurfaceState()
    private let table: SurfaceTable

    /// A device with the bindings of a map, at a session whose addresses a table has.
    package init(_ bindings: [SurfaceBinding], table: @escaping SurfaceTable = SurfaceScale.table) {
        self.table = table
        for binding in bindings {
            do throws(SurfaceMapError) {
                lines.append(try SurfaceLine(binding, table))
            } catch {
                faults.append(error.description)
            }
        }
    }

    /// How many bindings are at work.
    package var count: Int { lines.count }

    /// A message of the device.
    package mutating func receive(_ message: MIDIMessage, at now: Double) -> SurfaceOutput {
        var output = SurfaceOutput()
        for index in lines.indices {
            if case .pressed(let isTouched)? = lines[index].binding.touch?.event(message) {
                lines[index].motor.touch(isTouched, at: now)
            }
            guard let event = lines[index].binding.control.event(message) else { continue }
            if let channel = message.channel { lines[index].channel = channel }
            guard let value = lines[index].take(event, state, at: now) else { continue }
            output.requests.append(state.request(lines[index].target.address, value, at: now))
        }
        return output
    }

    /// What has come into force, by whichever door it was set: what the device is told of that now.
    package mutating func hear(_ changes: [(address: String, value: ParameterValue)], at now: Double) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        for (address, value) in changes {
            if StateAddress.isPluginControl(address) { renew(address) }
            guard state.hear(address, value) else { continue }
            for index in lines.indices where lines[index].target.address == address {
                messages += show(value, on: index, at: now)
            }
        }
        return messages
    }

    /// The session did not do what was asked for at an address: the device is brought back to what is in force.
    package mutating func refused(_ address: String, at now: Double) -> [MIDIMessage] {
        state.refuse(address)
        guard let value = state[address] else { return [] }
        var messages: [MIDIMessage] = []
        for index in lines.indices where lines[index].target.address == address {
            messages += show(value, on: index, at: now)
        }
        return messages
    }

    /// What was held back while a finger was on a control, or just after.
    package mutating func settle(at now: Double) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        for index in lines.indices {
            guard let position = lines[index].motor.settle(at: now) else { continue }
            messages += lines[index].messages(position)
        }
        return messages
    }

    /// When `settle` will have something to say; nil: not before something happens.
    package var next: Double? { lines.compactMap(\.motor.next).min() }

    /// Tells the device all that is in force, as where it was just connected.
    package mutating func refresh(at now: Double) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        for index in lines.indices {
            lines[index].motor.forget()
            guard let value = state[lines[index].target.address] else { continue }
            messages += show(value, on: index, at: now)
        }
        return messages
    }

    /// Binds the controls of a plugin that came anew where it takes other values than were known of.
    private mutating func renew(_ address: String) {
        guard let scale = table(address) else { return }
        for index in lines.indices where lines[index].target.address == address {
            guard scale != lines[index].target.scale, var line = try? SurfaceLine(lines[index].binding, table) else {
                continue
            }
            line.channel = lines[index].channel
            lines[index] = line
        }
    }

    private mutating func show(_ value: ParameterValue, on index: Int, at now: Double) -> [MIDIMessage] {
        guard let position = lines[index].shown(value) else { return [] }
        guard let sent = lines[index].motor.show(position, at: now) else { return [] }
        return lines[index].messages(sent)
    }
}

extension SurfaceLine {
    /// The messages that have the device show a position.
    func messages(_ position: Int) -> [MIDIMessage] { binding.control.messages(position, channel: channel) }
}

extension MIDIMessage {
    /// The channel; nil for what has none.
    var channel: UInt8? {
        switch self {
        case .noteOff(let channel, _, _), .noteOn(let channel, _, _), .keyPressure(let channel, _, _),
            .controller(let channel, _, _), .program(let channel, _), .channelPressure(let channel, _),
            .pitchBend(let channel, _):
            channel
        case .system: nil
        }
    }
}
