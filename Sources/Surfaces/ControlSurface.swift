import Stages

/// Control surface in use: controls that are bound to addresses (values and actions of the session), the strips of a
/// Mackie Control, and the address for which a control is to be learnt. Callers pass the time in seconds, which must
/// not decrease.
package struct ControlSurface: Sendable {
    /// Map in use, with the bindings learnt so far.
    package private(set) var map: SurfaceMap
    /// Faults of the map, one sentence each. The faulty entries have no effect.
    package var faults: [String] { controls.faults + (mackie?.faults ?? []) }
    private let table: SurfaceTable
    private var controls: MIDISurface
    private var mackie: MackieSurface?
    private var learner: MIDILearner?
    /// Present values, for controls that are bound later.
    private var values: [String: ParameterValue] = [:]

    /// Creates a surface from a map. `table`: scales of the session's addresses.
    package init(_ map: SurfaceMap, table: @escaping SurfaceTable = SurfaceScale.table) {
        (self.map, self.table) = (map, table)
        controls = MIDISurface(map.bindings, table: table)
        mackie = map.mackie.map { MackieSurface($0, table: table) }
    }

    /// Address to which the next control that is moved will be bound; nil if there is none.
    package private(set) var learning: String?

    /// Binds the next control that is moved to an address; nil cancels. Returns false if the session has no such
    /// address.
    package mutating func learn(_ address: String?) -> Bool {
        guard let address else {
            (learner, learning) = (nil, nil)
            return true
        }
        guard table(address) != nil else { return false }
        (learner, learning) = (MIDILearner(address), address)
        return true
    }

    /// Processes a message of the device. While a control is being learnt, messages have no other effect.
    package mutating func receive(_ message: MIDIMessage, at now: Double) -> SurfaceOutput {
        if learner != nil {
            let found = learner?.receive(message, at: now)
            return SurfaceOutput(messages: found.map { bind($0, at: now) } ?? [])
        }
        var output = controls.receive(message, at: now)
        if let more = mackie?.receive(message, at: now) { output += more }
        return output
    }

    /// Processes values that have changed in the session. Returns the messages for the device.
    package mutating func hear(_ changes: [(address: String, value: ParameterValue)], at now: Double) -> [MIDIMessage] {
        for (address, value) in changes { values[address] = value }
        let messages = controls.hear(changes, at: now)
        return messages + (mackie?.hear(changes, at: now) ?? [])
    }

    /// Removes values that the session no longer has. Returns the messages for the device.
    package mutating func forget(_ addresses: [String], at now: Double) -> [MIDIMessage] {
        for address in addresses { values[address] = nil }
        controls.forget(addresses)
        return mackie?.forget(addresses, at: now) ?? []
    }

    /// Called when the session has refused a request. Returns the messages that reset the device to the present value.
    package mutating func refused(_ address: String, at now: Double) -> [MIDIMessage] {
        let messages = controls.refused(address, at: now)
        return messages + (mackie?.refused(address, at: now) ?? [])
    }

    /// Returns the delayed messages that are due.
    package mutating func settle(at now: Double) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        if let found = learner?.settle(at: now) { messages += bind(found, at: now) }
        messages += controls.settle(at: now)
        return messages + (mackie?.settle(at: now) ?? [])
    }

    /// Time of the next delayed message, seconds; nil if there is none.
    package var next: Double? { [learner?.next, controls.next, mackie?.next].compactMap(\.self).min() }

    /// Returns the messages for all present values, for a device that was just connected.
    package mutating func refresh(at now: Double) -> [MIDIMessage] {
        let messages = controls.refresh(at: now)
        return messages + (mackie?.refresh(at: now) ?? [])
    }

    /// Binds the learnt control. A control that cannot set the address, for example a key for a level, is ignored.
    private mutating func bind(_ binding: SurfaceBinding, at now: Double) -> [MIDIMessage] {
        guard MIDISurface([binding], table: table).faults.isEmpty else {
            learner = MIDILearner(binding.address)
            return []
        }
        (learner, learning) = (nil, nil)
        map.bind(binding)
        controls = MIDISurface(map.bindings, table: table)
        return controls.hear(values.map { ($0.key, $0.value) }, at: now)
    }
}
