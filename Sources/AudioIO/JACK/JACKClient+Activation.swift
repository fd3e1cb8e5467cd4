import CJACK
import Rendering
import Signal
import Synchronization

/// Activation of a client.
extension JACKClient {
    /// Output ports, as patchbays show them.
    static let ears = [
        StagePort(symbol: "out_L", prettyName: "Left Ear", group: "Headphones"),
        StagePort(symbol: "out_R", prettyName: "Right Ear", group: "Headphones"),
    ]
    /// Ports of the print bus, whose sound is recorded or sent, not heard.
    static let printBus = [
        StagePort(symbol: "print_L", prettyName: "Print Left", group: "Print"),
        StagePort(symbol: "print_R", prettyName: "Print Right", group: "Print"),
    ]

    /// Registers ports, all or none. `others` is the number of ports that were already registered for the same purpose.
    func register(
        _ wanted: [(name: String, kind: JACKPortKind)], after others: Int = 0
    ) throws(JACKError) -> [OpaquePointer] {
        var ports: [OpaquePointer] = []
        for (name, kind) in wanted {
            guard let port = kind.register(name, of: client) else {
                for port in ports { JACKRequest.unregisterPort(client, port) }
                throw JACKPortKind.refusal(
                    by: client, registered: others + ports.count, wanted: others + wanted.count)
            }
            ports.append(port)
        }
        return ports
    }

    /// Registers the ports and starts the audio thread. Call once.
    ///
    /// - Parameters:
    ///   - parts: Parts to play, built for this client's sample rate. They are retained while they play.
    ///   - heard: Index of the part that is heard.
    ///   - mutesOnRouteLoss: Whether all parts except those of the print bus are muted when an output loses its last
    ///     connection, or its last connection to a sound card.
    /// - Throws: `serverGone`, `noMorePorts`, `notActivated` or `noThread`. No port is left then.
    package func activate(
        _ parts: [StagePart], heard: Int, start: StartPolicy, mutesOnRouteLoss: Bool
    ) throws(JACKError) {
        guard state.withLock({ $0.context == nil && !$0.isClosed }) else {
            throw .notActivated(step: "activate the client", detail: "it is active or closed")
        }
        questions.begin()
        defer { questions.end() }
        JACKMessages.clear()
        let (midi, monitor) = state.withLock { ($0.midi, $0.monitorInputs) }
        let inputs = parts.ports
        var wanted = Self.ears.map { ($0.symbol, JACKPortKind.output) }
        if midi != nil { wanted += [(StageMIDI.input, .events), (StageMIDI.output, .eventsOut)] }
        let print = parts.havePrint ? Self.printBus : []
        wanted += print.map { ($0.symbol, .output) } + monitor.ports.map { ($0.symbol, .input) }
        let taken = try registerInputs(inputs, before: wanted.count)
        let all: [OpaquePointer]
        do throws(JACKError) { all = try register(wanted, after: taken.count) } catch {
            JACKInput.unregister(taken)
            throw error
        }
        let behind = 2 + (midi == nil ? 0 : 2)
        let monitorPorts = Array(all[(behind + print.count)...])
        let ports = ThreadOwned(
            JACKStagePorts(
                parts, heard: heard, inputs: taken,
                print: print.isEmpty ? nil : (all[behind], all[behind + 1]), sampleRate: sampleRate,
                isPipeWire: isPipeWire))
        let context = ThreadOwned(
            JACKContext(
                client: client, ports: ports.pointer, outputPorts: Array(all[..<2]),
                cycle: StageCycle(ports.pointee.cast, sampleRate: sampleRate, policy: start),
                sampleRate: sampleRate.hertz, clockOffset: clockOffset, periodFrames: periodFrames,
                mutesOnLoss: mutesOnRouteLoss, isPipeWire: isPipeWire,
                events: midi.map { midi in
                    StageEventPorts(
                        input: all[2], output: all[3],
                        exchange: ThreadOwned(MIDIExchange(bell: midi.bell.pointer)))
                }, monitorPorts: JACKMonitorPorts(monitor, monitorPorts)))
        context.pointee.insertLatency.store(UInt32(parts[heard].renderer.insertLatency), ordering: .relaxed)
        func undo() {
            for port in all { JACKRequest.unregisterPort(client, port) }
            JACKInput.unregister(taken)
            closeRelays()
            // The context is kept until the client is closed, because libjack may still call back with it, for example
            // when the server ends.
            state.withLock { $0.abandoned.append(context) }
        }
        func refusal(of step: String) -> JACKError {
            let detail = JACKMessages.last
            undo()
            return .notActivated(step: step, detail: detail)
        }
        guard JACKContext.register(context.pointer) else { throw refusal(of: "register the callbacks") }
        let isActive = JACKActivation.activate(client) {
            context.pointee.notes.pointee.shutdown.load(ordering: .acquiring) != 0
        }
        guard isActive else { throw refusal(of: "activate the client") }
        state.withLock { $0.inputs = Dictionary(uniqueKeysWithValues: zip(inputs.map(\.symbol), taken)) }
        do throws(JACKError) { try beginRelays(context) } catch {
            JACKRequest.deactivate(client)
            undo()
            throw error
        }
        do throws(WorkerError) { try supervise(context, parts, heard: heard) } catch {
            JACKRequest.deactivate(client)
            undo()
            throw .noThread(error)
        }
        describePorts()
        if let midi, let events = context.pointee.events {
            midi.take(events.exchange)
            midi.announce()
        }
    }

    /// Starts the supervisor of an active client.
    private func supervise(
        _ context: ThreadOwned<JACKContext>, _ parts: [StagePart], heard: Int
    ) throws(WorkerError) {
        let supervisor = JACKSupervisor(
            context: context, isPipeWire: isPipeWire, sampleRate: sampleRate.hertz,
            probeName: String(requestedName.prefix(40)) + "-probe", continuation: continuation,
            recorder: { [weak self] in self?.state.withLock { $0.recorder } },
            listenerCame: { [weak self] in self?.state.withLock { $0.midi }?.announce() },
            names: PortNames(
                accepts: { [weak self] in self?.acceptsMetadata() ?? false },
                set: { [weak self] in self?.describeAgain() }))
        state.withLock {
            $0.context = context
            ($0.parts, $0.heard) = (parts, heard)
            $0.supervisor = supervisor
            context.pointee.cycle.setTap($0.recorder?.tap.pointer)
        }
        do throws(WorkerError) { try supervisor.start() } catch {
            state.withLock {
                ($0.context, $0.parts, $0.supervisor) = (nil, [], nil)
                context.pointee.cycle.setTap(nil)
            }
            throw error
        }
    }
}
