import CJACK
import Signal
import Synchronization

/// Inputs of a stage as a client of their own, which takes each period's sound and leaves it where the stage finds it
/// in the next.
///
/// A server calls a client when all that stand before it in the order of connections are done. One that died says
/// nothing, and the clients connected behind it miss periods until the server has noticed. Inputs with a look-ahead are
/// therefore taken by relays, one for each rendition: a death takes the dead one's sound alone, and the stage, which is
/// behind no client, misses no period. A cable from the stage to each relay keeps both in one graph: PipeWire drives
/// clients that nothing joins by clocks of its own choice.
///
/// Calls may come from any thread but the audio thread.
final class JACKRelay: Sendable {
    /// What the relay is for, as its ports say it (`StagePort.relay`).
    let role: String
    /// The client's name.
    let name: String
    let handle: JACKHandle
    var client: OpaquePointer { handle.pointer }
    /// Freed when the client is closed.
    let context: ThreadOwned<JACKRelayContext>
    private let begun = Atomic<Bool>(false)
    private let freeRows = Mutex(Array((0..<JACKRelayContext.mostRows).reversed()))

    /// Opens a client `STAGE-ROLE`; it has the end of the cable and no other port yet.
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

    /// A port for an input, nil where there can be no more; it is known by the stage's name too, where the server keeps
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

    /// Has the port of an input go that is taken no more.
    fileprivate func unregister(_ input: JACKInput) {
        jack_port_unregister(client, input.port)
        freeRows.withLock { $0.append(input.row) }
    }

    /// Closes the client, and frees what its audio thread used; at most two seconds.
    func close() { _ = JACKRemains(client: handle, context: context).close(within: 2) }

    /// Frees what the audio thread used; once the client is closed.
    func free() { context.deallocate() }

    /// Whether the audio thread was started.
    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    /// Starts the audio thread for a stage, and joins both; what is noted there must outlive this client.
    /// Until it succeeds.
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

/// An input port of a stage, and the client it belongs to.
struct JACKInput: Sendable {
    private let handles: (port: JACKHandle, client: JACKHandle)
    /// The relay that has it, and its row there; nil: the stage has it itself.
    let relay: JACKRelay?
    let row: Int

    init(port: OpaquePointer, client: OpaquePointer, relay: JACKRelay? = nil, row: Int = 0) {
        handles = (JACKHandle(port), JACKHandle(client))
        (self.relay, self.row) = (relay, row)
    }

    var port: OpaquePointer { handles.port.pointer }
    var client: OpaquePointer { handles.client.pointer }

    /// Where the audio thread finds what it took.
    var place: JACKRelayPlace { JACKRelayPlace(relay: relay?.context.pointer, row: row) }

    /// Takes ports off their clients, when no cycle of the stage can use them.
    static func unregister(_ inputs: [JACKInput]) {
        for input in inputs { input.relay?.context.pointee.use(input.row, nil) }
        // A relay's own cycle may be at them still; one that stands behind a dead client is in none.
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

/// Where the audio thread finds what an input took: in a relay, or (nil) at its own port.
struct JACKRelayPlace: BitwiseCopyable {
    var relay: UnsafeMutablePointer<JACKRelayContext>?
    var row = 0
}
