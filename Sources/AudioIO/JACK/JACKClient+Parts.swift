import CJACK
import Rendering
import Signal
import Synchronization

/// Change of the parts (stages, see `StagePart`) while the client plays.
extension JACKClient {
    /// Plays these parts from the next cycle on. A port that belongs to both old and new parts keeps its connections.
    /// All other old ports are removed, and missing ones are added. Parts that already play continue without a break.
    /// New parts are silent until `hear` selects them. Waits for two cycles.
    ///
    /// - Parameter heard: Index, in `parts`, of the part that is already heard.
    /// - Throws: `serverGone`, `noMorePorts` or `notActivated`. Nothing is changed then.
    package func play(_ parts: [StagePart], heard: Int) throws(JACKError) {
        questions.begin()
        defer { questions.end() }
        guard !hasLostServer, let context = state.withLock({ $0.isClosed ? nil : $0.context }) else {
            throw .serverGone
        }
        let (wanted, known) = (parts.ports, state.withLock { $0.inputs })
        var print = context.pointee.withPorts { $0.printPorts }
        let new = wanted.filter { known[$0.symbol] == nil }
        let newPrint = parts.havePrint && print.isEmpty ? Self.printBus : []
        let made = try registerInputs(new)
        do throws(JACKError) {
            if !newPrint.isEmpty { print = try register(newPrint.map { ($0.symbol, .output) }) }
            try beginRelays(context)
        } catch {
            JACKInput.unregister(made)
            if !newPrint.isEmpty { for port in print { JACKRequest.unregisterPort(client, port) } }
            throw error
        }
        let ports = known.merging(zip(new.map(\.symbol), made)) { $1 }
        let inputs = wanted.compactMap { ports[$0.symbol] }
        let next = ThreadOwned(
            JACKStagePorts(
                parts, heard: heard, inputs: inputs,
                print: parts.havePrint ? (print[0], print[1]) : nil, sampleRate: sampleRate, isPipeWire: isPipeWire))
        next.pointee.noteConnections()
        let stay = Set(wanted.map(\.symbol))
        let former = state.withLock { state in
            defer { (state.parts, state.heard, state.inputs) = (parts, heard, ports.filter { stay.contains($0.key) }) }
            return state.parts
        }
        let present = context.pointee.exchange(next.pointer)
        describePorts()
        // Connections are read again: if they changed after the first reading, only the former ports recorded that.
        context.pointee.noteConnections()
        let isPast = retire(ThreadOwned(at: present), former, of: context)
        // If a cycle that hangs may still use these ports, they stay until the client is closed.
        if isPast {
            JACKInput.unregister(known.filter { !stay.contains($0.key) }.map(\.value))
            for port in parts.havePrint ? [] : print {
                JACKMetadata.forget(port, of: client)
                JACKRequest.unregisterPort(client, port)
            }
        }
        latencyChanged()
    }

    /// Crossfades to another part.
    package func hear(_ part: Int) {
        let isHeard = state.withLock { state -> Bool in
            guard let context = state.context, state.parts.indices.contains(part) else { return false }
            state.heard = part
            context.pointee.withPorts { ports in
                ports.cast.pointee.hear(part)
                ports.setLatencies(of: state.parts, heard: part)
            }
            return true
        }
        if isHeard { latencyChanged() }
    }

    /// Whether no crossfade is in progress.
    package var isSettled: Bool {
        state.withLock { state in
            state.context?.pointee.withPorts { $0.cast.pointee.isSettled } ?? true
        }
    }

    /// Frees replaced ports when no cycle can use them any more. If a cycle may still use them, keeps them and their
    /// parts until the client is closed, and returns false.
    private func retire(
        _ ports: ThreadOwned<JACKStagePorts>, _ parts: [StagePart],
        of context: ThreadOwned<JACKContext>
    ) -> Bool {
        guard Self.isPastCycle(context) else {
            state.withLock { $0.abandonedPorts.append((ports, parts)) }
            return false
        }
        ports.deallocate()
        return true
    }
}
