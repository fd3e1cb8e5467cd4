import Desk
import Stages

/// A device whose controls are bound individually. It converts messages of the device to requests, and present values
/// to messages. Callers pass the time in seconds, which must not decrease.
package struct MIDISurface: Sendable {
    /// Faults of bindings, one sentence each. Faulty bindings have no effect.
    package private(set) var faults: [String] = []
    private var lines: [SurfaceLine] = []
    private var state = SurfaceState()
    private let table: SurfaceTable

    /// Creates a surface from the bindings of a map. `table`: scales of the session's addresses.
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

    /// Number of bindings in use.
    package var count: Int { lines.count }

    /// Processes a message of the device.
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

    /// Processes values that have changed in the session. Returns the messages for the device.
    package mutating func hear(_ changes: [(address: String, value: ParameterValue)], at now: Double) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        for (address, value) in changes {
            if StateAddress(address).isPluginControl { renew(address) }
            guard state.hear(address, value) else { continue }
            for index in lines.indices where lines[index].target.address == address {
                messages += show(value, on: index, at: now)
            }
        }
        return messages
    }

    /// Removes values that the session no longer has. The device keeps showing them.
    package mutating func forget(_ addresses: [String]) { for address in addresses { state.forget(address) } }

    /// Called when the session has refused a request. Returns the messages that reset the device to the present value.
    package mutating func refused(_ address: String, at now: Double) -> [MIDIMessage] {
        state.refuse(address)
        guard let value = state[address] else { return [] }
        var messages: [MIDIMessage] = []
        for index in lines.indices where lines[index].target.address == address {
            messages += show(value, on: index, at: now)
        }
        return messages
    }

    /// Returns the messages that were held back while a control was touched or had just been moved, and that are now
    /// due.
    package mutating func settle(at now: Double) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        for index in lines.indices {
            guard let position = lines[index].motor.settle(at: now) else { continue }
            messages += lines[index].messages(position)
        }
        return messages
    }

    /// Time of the next delayed message, seconds; nil if there is none.
    package var next: Double? { lines.compactMap(\.motor.next).min() }

    /// Returns the messages for all present values, for a device that was just connected.
    package mutating func refresh(at now: Double) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        for index in lines.indices {
            lines[index].motor.forget()
            guard let value = state[lines[index].target.address] else { continue }
            messages += show(value, on: index, at: now)
        }
        return messages
    }

    /// Renews the bindings of a plugin control whose scale has changed.
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
