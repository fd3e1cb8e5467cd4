import Stages

/// All that a map makes of a device: bound controls, the strips of a Mackie Control, and an address that waits for its
/// control. A value, to which time is told in seconds that do not run backwards.
package struct ControlSurface: Sendable {
    /// The map at work; it grows by what is learnt.
    package private(set) var map: SurfaceMap
    /// What is wrong with the map; what it concerns is left out. A sentence each.
    package var faults: [String] { controls.faults + (mackie?.faults ?? []) }
    private let table: SurfaceTable
    private var controls: MIDISurface
    private var mackie: MackieSurface?
    private var learner: MIDILearner?
    /// What is in force, for controls that are bound later.
    private var values: [String: ParameterValue] = [:]

    /// A device with a map, at a session whose addresses a table has.
    package init(_ map: SurfaceMap, table: @escaping SurfaceTable = SurfaceScale.table) {
        (self.map, self.table) = (map, table)
        controls = MIDISurface(map.bindings, table: table)
        mackie = map.mackie.map { MackieSurface($0, table: table) }
    }

    /// The address that the next control to be moved is bound to; nil: none waits.
    package private(set) var learning: String?

    /// Binds the next control that is moved to an address; nil: none after all. False: the address is none of the
    /// session's.
    package mutating func learn(_ address: String?) -> Bool {
        guard let address else {
            (learner, learning) = (nil, nil)
            return true
        }
        guard table(address) != nil else { return false }
        (learner, learning) = (MIDILearner(address), address)
        return true
    }

    /// A message of the device. What is being learnt moves nothing.
    package mutating func receive(_ message: MIDIMessage, at now: Double) -> SurfaceOutput {
        if learner != nil {
            let found = learner?.receive(message, at: now)
            return SurfaceOutput(messages: found.map { bind($0, at: now) } ?? [])
        }
        var output = controls.receive(message, at: now)
        if let more = mackie?.receive(message, at: now) { output += more }
        return output
    }

    /// What has come into force, by whichever door it was set: what the device is told of that now.
    package mutating func hear(_ changes: [(address: String, value: ParameterValue)], at now: Double) -> [MIDIMessage] {
        for (address, value) in changes { values[address] = value }
        let messages = controls.hear(changes, at: now)
        return messages + (mackie?.hear(changes, at: now) ?? [])
    }

    /// The session did not do what was asked for at an address: the device is brought back to what is in force.
    package mutating func refused(_ address: String, at now: Double) -> [MIDIMessage] {
        let messages = controls.refused(address, at: now)
        return messages + (mackie?.refused(address, at: now) ?? [])
    }

    /// What was to be said later, as soon as it is time.
    package mutating func settle(at now: Double) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        if let found = learner?.settle(at: now) { messages += bind(found, at: now) }
        messages += controls.settle(at: now)
        return messages + (mackie?.settle(at: now) ?? [])
    }

    /// When `settle` will have something to say; nil: not before something happens.
    package var next: Double? { [learner?.next, controls.next, mackie?.next].compactMap(\.self).min() }

    /// Tells the device all that is in force, as where it was just connected.
    package mutating func refresh(at now: Double) -> [MIDIMessage] {
        let messages = controls.refresh(at: now)
        return messages + (mackie?.refresh(at: now) ?? [])
    }

    /// Binds what was learnt; a control that cannot move the address, as a key a level, is not the one that is meant.
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
