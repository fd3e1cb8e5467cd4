import CJACK
import Signal
import Synchronization

/// Inputs of a stage as a separate client, which stores each period's sound for the stage to read in the next period.
///
/// A server calls a client once all clients before it in the graph are done. A client that dies does not report it, and
/// the clients after it miss periods until the server notices. Inputs with a look-ahead are therefore read by relays,
/// one for each rendition: a death costs only the dead client's sound, and the stage, which comes after no client,
/// misses no period. A connection from the stage to each relay keeps both in one graph: PipeWire drives unconnected
/// clients by arbitrary clocks.
///
/// Calls may come from any thread but the audio thread.
final class JACKRelay: Sendable {
    /// Purpose of the relay, as named by its ports (`StagePort.relay`).
    let role: String
    /// Name of the client.
    let name: String
    let handle: JACKHandle
    var client: OpaquePointer { handle.pointer }
    /// Freed once the client is closed.
    let context: ThreadOwned<JACKRelayContext>
    private let begun = Atomic<Bool>(false)
    private let freeRows = Mutex(Array((0..<JACKRelayContext.mostRows).reversed()))

    /// Opens a client `STAGE-ROLE` with the port for the stage's connection only.
    init(role: String, stage: String, limit: Int, isPipeWire: Bool) throws(JACKError) {
        let opened = try JACKOpening.open(
            name: String((stage + "-" + role).prefix(limit)), exactName: false, limit: limit)
        self.role = role
        (handle, name) = (JACKHandle(opened.client), opened.name)
        context = ThreadOwned(JACKRelayContext(client: opened.client, isPipeWire: isPipeWire))
        guard JACKPortKind.input.register(JACKCable.end, of: client) != nil else {
            close()
            throw .noMorePorts(registered: 0, wanted: 1)
        }
    }

    /// Registers a port for an input; nil if there is no room. Its alias has the stage's name, if the server keeps
    /// aliases.
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

    /// Removes the port of an unused input.
    fileprivate func unregister(_ input: JACKInput) {
        jack_port_unregister(client, input.port)
        freeRows.withLock { $0.append(input.row) }
    }

    /// Closes the client and frees its audio thread's memory; takes two seconds at most.
    func close() { _ = JACKRemains(client: handle, context: context).close(within: 2) }

    /// Frees the audio thread's memory. Only once the client is closed.
    func free() { context.deallocate() }

    /// Whether the audio thread has been started.
    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    /// Starts the audio thread and connects the relay to the stage; may be repeated after a failure. `notes` must
    /// outlive this client.
    func begin(for stage: String, notes: UnsafeMutablePointer<JACKNotes>) throws(JACKError) {
        context.pointee.notes = notes
        guard JACKRelayContext.register(context.pointer) else {
            throw .notActivated(step: "take the callbacks of \(name)", detail: JACKMessages.last)
        }
        guard JACKActivation.activate(client) else {
            throw .notActivated(step: "activate \(name)", detail: JACKMessages.last)
        }
        begun.store(true, ordering: .releasing)
        _ = jack_connect(client, "\(stage):\(JACKCable.start)", "\(name):\(JACKCable.end)")
    }
}

/// An input port of a stage, and its client.
struct JACKInput: Sendable {
    private let handles: (port: JACKHandle, client: JACKHandle)
    /// Relay of the input, and its row there; nil: the stage's own port.
    let relay: JACKRelay?
    let row: Int

    init(port: OpaquePointer, client: OpaquePointer, relay: JACKRelay? = nil, row: Int = 0) {
        handles = (JACKHandle(port), JACKHandle(client))
        (self.relay, self.row) = (relay, row)
    }

    var port: OpaquePointer { handles.port.pointer }
    var client: OpaquePointer { handles.client.pointer }

    /// Place where the audio thread finds the input's sound.
    var place: JACKRelayPlace { JACKRelayPlace(relay: relay?.context.pointer, row: row) }

    /// Removes ports from their clients. Only when no cycle of the stage can use them.
    static func unregister(_ inputs: [JACKInput]) {
        for input in inputs { input.relay?.context.pointee.use(input.row, nil) }
        // A relay's own cycle may still use them; a relay after a dead client runs none.
        for context in Set(inputs.compactMap { $0.relay?.context }) {
            _ = CycleWait.passes(context.pointee.cycles, within: 100)
        }
        for input in inputs {
            JACKMetadata.forget(input.port, of: input.client)
            if let relay = input.relay {
                relay.unregister(input)
            } else {
                jack_port_unregister(input.client, input.port)
            }
        }
    }
}

/// Place of an input's sound for the audio thread: a relay's row, or (nil) the stage's own port.
struct JACKRelayPlace: BitwiseCopyable {
    var relay: UnsafeMutablePointer<JACKRelayContext>?
    var row = 0
}
