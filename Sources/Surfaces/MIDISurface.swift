import Desk
import Stages

/// Device whose controls are bound one by one: turns its messages into requests, and values in force into messages. A
/// value; callers pass the time in seconds, which must not decrease.
package struct MIDISurface: Sendable {
    /// Faults of bindings, a sentence each; faulty bindings have no effect.
    package private(set) var faults: [String] = []
    private var lines: [SurfaceLine] = []
    private var state = SurfaceState()
    private let table: SurfaceTable

    /// Makes a surface from the bindings of a map, for the session addresses in a table.
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

    /// Number of bindings at work.
    package var count: Int { lines.count }

    /// Takes a message of the device.
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

    /// Takes values that came into force, from whichever door; returns the messages for the device.
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

    /// Notes that the session refused a request; returns the messages that reset the device to the value in force.
    package mutating func refused(_ address: String, at now: Double) -> [MIDIMessage] {
        state.refuse(address)
        guard let value = state[address] else { return [] }
        var messages: [MIDIMessage] = []
        for index in lines.indices where lines[index].target.address == address {
            messages += show(value, on: index, at: now)
        }
        return messages
    }

    /// Returns the messages that were held back while a control was touched, or just after.
    package mutating func settle(at now: Double) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        for index in lines.indices {
            guard let position = lines[index].motor.settle(at: now) else { continue }
            messages += lines[index].messages(position)
        }
        return messages
    }

    /// Time of the next delayed message; nil without one.
    package var next: Double? { lines.compactMap(\.motor.next).min() }

    /// Returns the messages of all values in force, for a device that was just connected.
    package mutating func refresh(at now: Double) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        for index in lines.indices {
            lines[index].motor.forget()
            guard let value = state[lines[index].target.address] else { continue }
            messages += show(value, on: index, at: now)
        }
        return messages
    }

    /// Renews the bindings of a plugin control whose values differ from those known before.
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
    /// Returns the messages that show a position on the device.
    func messages(_ position: Int) -> [MIDIMessage] { binding.control.messages(position, channel: channel) }
}

extension MIDIMessage {
    /// Channel; nil for messages without one.
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
