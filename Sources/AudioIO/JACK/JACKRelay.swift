import CJACK
import Signal
import Synchronization

/// A separate client that has some of a stage's inputs. It stores the sound of each period, which the stage reads in
/// the next period.
///
/// In every period the server calls a client when all clients before it in the graph of connections are done. If a
/// client dies, the clients after it miss periods until the server notices the death. Inputs with a look-ahead
/// (`--hold`) are therefore read by relays, one for each rendition of a programme. Then only the dead client's sound is
/// lost: the stage comes after no client and misses no period. A connection from the stage to each relay keeps both in
/// one graph, because PipeWire drives unconnected clients by arbitrary clocks.
///
/// Calls may come from any thread except the audio thread.
final class JACKRelay: Sendable {
    /// Purpose of the relay. Ports name it in `StagePort.relay`.
    let role: String
    /// Name of the client.
    let name: String
    let handle: JACKHandle
    var client: OpaquePointer { handle.pointer }
    /// Data of the audio thread. It is freed when the client is closed.
    let context: ThreadOwned<JACKRelayContext>
    private let begun = Atomic<Bool>(false)
    private let freeRows = Mutex(Array((0..<JACKRelayContext.mostRows).reversed()))

    /// Opens a client `STAGE-ROLE`. It has only the port for the stage's connection. Nil if that port is refused.
    init?(role: String, stage: String, limit: Int, isPipeWire: Bool) throws(JACKError) {
        let opened = try JACKOpening.open(
            name: String((stage + "-" + role).prefix(limit)), exactName: false, limit: limit)
        self.role = role
        (handle, name) = (JACKHandle(opened.client), opened.name)
        context = ThreadOwned(JACKRelayContext(client: opened.client, isPipeWire: isPipeWire))
        guard JACKPortKind.input.register(JACKCable.end, of: client) != nil else {
            close()
            return nil
        }
    }

    /// Registers a port for an input. Returns nil if the relay or the server has no port left. The port has an alias
    /// with the stage's name, if the server supports aliases.
    func register(_ port: StagePort, stage: String) -> JACKInput? {
        guard let row = freeRows.withLock({ $0.popLast() }) else { return nil }
        let symbol = "in_" + port.symbol
        guard let handle = JACKPortKind.input.register(symbol, of: client) else {
            freeRows.withLock { $0.append(row) }
            return nil
        }
        _ = jack_port_set_alias(handle, "\(stage):\(symbol)")
        context.pointee.use(row, handle)
        return JACKInput(port: handle, client: client, relay: self, row: row)
    }

    /// Removes the port of an input that is no longer used.
    fileprivate func unregister(_ input: JACKInput) {
        JACKRequest.unregisterPort(client, input.port)
        freeRows.withLock { $0.append(input.row) }
    }

    /// Closes the client and frees its audio thread's memory. Takes at most two seconds.
    func close() { _ = JACKRemains(client: handle, context: context).close(within: 2) }

    /// Frees the audio thread's memory. Call only when the client is closed.
    func free() { context.deallocate() }

    /// Whether the audio thread has been started.
    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    /// Starts the audio thread and connects the relay to the stage. The call may be repeated after a failure. `notes`
    /// must outlive this client.
    func begin(for stage: String, notes: UnsafeMutablePointer<JACKNotes>) throws(JACKError) {
        context.pointee.notes = notes
        guard JACKRelayContext.register(context.pointer) else {
            throw .notActivated(step: "register the callbacks of \(name)", detail: JACKMessages.last)
        }
        guard JACKActivation.activate(client) else {
            throw .notActivated(step: "activate \(name)", detail: JACKMessages.last)
        }
        begun.store(true, ordering: .releasing)
        JACKRequest.connect(client, "\(stage):\(JACKCable.start)", "\(name):\(JACKCable.end)")
    }
}

/// An input port of a stage, with its client.
struct JACKInput: Sendable {
    private let handles: (port: JACKHandle, client: JACKHandle)
    /// Relay that has the input; nil if the stage's own client has the port.
    let relay: JACKRelay?
    /// Row of the input in its relay; 0 without a relay.
    let row: Int

    init(port: OpaquePointer, client: OpaquePointer, relay: JACKRelay? = nil, row: Int = 0) {
        handles = (JACKHandle(port), JACKHandle(client))
        (self.relay, self.row) = (relay, row)
    }

    var port: OpaquePointer { handles.port.pointer }
    var client: OpaquePointer { handles.client.pointer }

    /// Place from which the audio thread reads the input's sound.
    var place: JACKRelayPlace { JACKRelayPlace(relay: relay?.context.pointer, row: row) }

    /// Removes ports from their clients. Call only when no cycle of the stage can use them.
    static func unregister(_ inputs: [JACKInput]) {
        for input in inputs { input.relay?.context.pointee.use(input.row, nil) }
        // A cycle of the relay may still use the ports. The wait is limited, because a relay after a dead client runs
        // no cycles.
        for context in Set(inputs.compactMap { $0.relay?.context }) {
            _ = CycleWait.passes(context.pointee.cycles, within: 100)
        }
        for input in inputs {
            JACKMetadata.forget(input.port, of: input.client)
            if let relay = input.relay {
                relay.unregister(input)
            } else {
                JACKRequest.unregisterPort(input.client, input.port)
            }
        }
    }
}

/// Place of an input's sound for the audio thread: a row of a relay, or the stage's own port if `relay` is nil.
struct JACKRelayPlace: BitwiseCopyable {
    var relay: UnsafeMutablePointer<JACKRelayContext>?
    var row = 0
}
