import CJACK
import Signal
import Synchronization

/// Input ports. Inputs with a look-ahead (`--hold`) are ports of separate clients, the relays (`JACKRelay`).
extension JACKClient {
    /// Registers inputs, all or none. Opens a relay for inputs that need one; a new relay is not active yet. `others`
    /// is the number of ports that will be registered afterwards.
    func registerInputs(_ wanted: [StagePort], before others: Int = 0) throws(JACKError) -> [JACKInput] {
        var made: [JACKInput] = []
        do throws(JACKError) {
            for port in wanted {
                var input: JACKInput?
                if let role = port.relay {
                    input = try relay(for: role)?.register(port, stage: name)
                } else {
                    input = JACKPortKind.input.register("in_" + port.symbol, of: client)
                        .map { JACKInput(port: $0, client: client) }
                }
                guard let input else {
                    throw JACKPortKind.refusal(by: client, registered: made.count, wanted: wanted.count + others)
                }
                made.append(input)
            }
        } catch {
            JACKInput.unregister(made)
            throw error
        }
        return made
    }

    /// Returns the relay of a role. Opens the relay if it does not exist yet. Nil if the server has no port for it.
    private func relay(for role: String) throws(JACKError) -> JACKRelay? {
        if let known = state.withLock({ $0.relays.first { $0.role == role } }) { return known }
        let relay = try JACKRelay(role: role, stage: name, limit: Self.longestName, isPipeWire: isPipeWire)
        guard let made = relay else { return nil }
        state.withLock { $0.relays.append(made) }
        return made
    }

    /// Activates relays that are not active yet.
    func beginRelays(_ context: ThreadOwned<JACKContext>) throws(JACKError) {
        let relays = state.withLock { $0.relays.filter { !$0.hasBegun } }
        guard !relays.isEmpty else { return }
        if context.pointee.cable.load(ordering: .relaxed) == 0 {
            let cable = try register([(JACKCable.start, .output)])[0]
            context.pointee.cable.store(UInt(bitPattern: cable), ordering: .releasing)
        }
        for relay in relays { try relay.begin(for: name, notes: context.pointee.notes) }
    }

    /// Closes all relays, for example after a failed activation of their stage.
    func closeRelays() {
        let relays = state.withLock { state in
            defer { (state.relays, state.inputs) = ([], [:]) }
            return state.relays
        }
        for relay in relays { relay.close() }
    }

    /// Returns the server's name for a port. If an input belongs to a relay, this name begins with the name of the
    /// relay's client.
    func serverName(_ port: String) -> String {
        let mark = name + ":in_"
        guard port.hasPrefix(mark) else { return port }
        let symbol = String(port.dropFirst(mark.count))
        let relay = state.withLock { $0.inputs[symbol]?.relay?.name }
        return relay.map { "\($0):in_\(symbol)" } ?? port
    }
}
