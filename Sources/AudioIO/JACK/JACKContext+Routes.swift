import CJACK
import Rendering
import Synchronization

/// Immediate reactions to changes of connections or freewheel. The supervisor reacts later.
extension JACKContext {
    /// Handles a new or removed connection of two ports. Called on the notification thread.
    func noteConnection(from source: UInt32, to target: UInt32, isConnected: Bool) {
        let (giver, taker) = (jack_port_by_id(client, source), jack_port_by_id(client, target))
        for ear in 0..<2 where outputPorts[ear] == giver {
            guard isConnected else {
                if route.withLock({ $0.disconnect(ear: ear, port: target) }) { loseRoute() }
                continue
            }
            let flags = taker.map { jack_port_flags($0) } ?? 0
            let name = taker.flatMap { jack_port_name($0) }.map { String(cString: $0) } ?? ""
            route.withLock {
                $0.connect(
                    ear: ear, port: target, name: name,
                    isPhysical: flags & Int32(JackPortIsPhysical.rawValue) != 0)
            }
        }
        if isConnected, let events, events.output == giver {
            notes.pointee.noteListener()
        }
        noteConnections()
    }

    /// Reads the connections of the present inputs again. May be called on any thread except the audio thread.
    func noteConnections() {
        withPorts { ports in ports.noteConnections() }
        notes.pointee.noteConnections()
    }

    /// Handles the start or end of freewheel. Called on the notification thread.
    func noteFreewheel(_ begins: Bool) {
        isFreewheeling.store(begins, ordering: .relaxed)
        if route.withLock({ $0.freewheel(begins) }) { loseRoute() }
        notes.pointee.noteFreewheel(begins: begins)
    }

    /// Mutes the outputs if `mutesOnLoss` is set, and records the loss for the supervisor.
    private func loseRoute() {
        if mutesOnLoss { withPorts { for gate in $0.gates { gate.pointee.close() } } }
        notes.pointee.noteLostRoute()
    }

    /// Counts the connections of the outputs if the server is jackd, whose count is valid for the present cycle and
    /// needs no lock. With `mutesOnLoss`, and not in freewheel, the loss of an output's last connection mutes both
    /// outputs. Called on the audio thread, before the cycle is rendered.
    @_noLocks
    mutating func watchEars() {
        guard !isPipeWire else { return }
        for ear in 0..<2 {
            let counted = cjack_port_connected(outputPorts[ear])
            let isLost = earConnections[ear] > 0 && counted == 0
            earConnections[ear] = counted
            if isLost && mutesOnLoss && !isFreewheeling.load(ordering: .relaxed) { cycle.cast.pointee.closeGates() }
        }
    }
}
