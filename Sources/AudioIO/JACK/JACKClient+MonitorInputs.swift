import CJACK
import Signal
import Synchronization

/// Inputs of the monitor section (talkback, reference), which bypass the stage.
extension JACKClient {
    /// Opens exactly these inputs, and closes all others of the monitor section. A call before the activation takes
    /// effect at the activation. Ports that stay keep their connections. Waits for two cycles if ports are removed.
    ///
    /// - Throws: `serverGone` or `noMorePorts`. Nothing is changed then.
    package func open(_ inputs: MonitorInputs) throws(JACKError) {
        guard let context = state.withLock({ $0.context }) else {
            return state.withLock { $0.monitorInputs = inputs }
        }
        questions.begin()
        defer { questions.end() }
        guard !hasLostServer else { throw .serverGone }
        let former = state.withLock { $0.monitorInputs }
        let known = Dictionary(
            uniqueKeysWithValues: zip(former.ports.map(\.symbol), context.pointee.monitorPorts.all))
        let new = inputs.subtracting(former).ports
        let made = try register(new.map { ($0.symbol, .input) })
        let all = known.merging(zip(new.map(\.symbol), made)) { $1 }
        state.withLock { state in
            context.pointee.withPorts { _ in
                context.pointee.monitorPorts.set(inputs, inputs.ports.compactMap { all[$0.symbol] })
            }
            state.monitorInputs = inputs
        }
        describePorts()
        let gone = former.subtracting(inputs).ports.compactMap { known[$0.symbol] }
        // If a cycle that hangs may still use these ports, they stay until the client is closed.
        if !gone.isEmpty, Self.isPastCycle(context) {
            for port in gone {
                JACKMetadata.forget(port, of: client)
                JACKRequest.unregisterPort(client, port)
            }
        }
        latencyChanged()
        context.pointee.notes.pointee.noteConnections()
    }
}
