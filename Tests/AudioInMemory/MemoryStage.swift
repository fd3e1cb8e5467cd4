import Rendering
import Signal
import Synchronization

@testable import AudioIO

/// Client of a stage on a server in memory.
final class MemoryStage: StageDriver {
    let name: String
    let sampleRate: SampleRate
    let events: AsyncStream<JACKEvent>
    /// False, because a server in memory numbers names that are taken.
    var sharesName: Bool { false }
    private let server: MemoryServer

    init(name: String, sampleRate: SampleRate, events: AsyncStream<JACKEvent>, server: MemoryServer) {
        self.name = name
        self.sampleRate = sampleRate
        self.events = events
        self.server = server
    }

    /// Returns a value that `look` reads from the server's graph and this client's state. Returns `fallback` if the
    /// client is closed.
    private func ask<Value: Sendable>(
        _ fallback: Value, _ look: (inout MemoryGraph, MemoryStageState) -> Value
    ) -> Value {
        server.graph.withLock { graph in
            guard let stage = graph.stages.first(where: { $0.name == name }) else { return fallback }
            return look(&graph, stage)
        }
    }

    var periodFrames: Int { ask(0) { graph, _ in graph.period } }
    var playbackLatency: Int {
        ask(0) { graph, stage in
            graph.links.contains { stage.ports.ears.contains($0.from) } ? graph.playbackLatency : 0
        }
    }
    var frameTime: UInt32 { ask(0) { graph, _ in graph.frame } }
    var transport: ServerTransport { ask(ServerTransport()) { graph, _ in graph.transport } }
    var xrunCount: Int { ask(0) { $1.losses.xruns } }
    var skippedFrames: Int { ask(0) { $1.losses.skippedFrames } }
    var lagSteps: LagSteps { ask(LagSteps()) { $1.losses.lagSteps } }

    func heardAt(frame: UInt32) -> Double { ask(0) { graph, _ in graph.heardAt(frame) } }

    func attach(_ midi: StageMIDI) { ask(()) { $1.midi = midi } }

    func open(_ inputs: MonitorInputs) throws(JACKError) {
        let name = name
        let refusal: JACKError? = ask(.serverGone) { graph, stage in
            guard graph.health != .gone else { return .serverGone }
            let former = stage.monitorInputs
            stage.monitorInputs = inputs
            // Ports exist only after activation.
            guard stage.driver != nil else { return nil }
            for port in inputs.subtracting(former).ports { graph.register("\(name):\(port.symbol)", isInput: true) }
            for port in former.subtracting(inputs).ports { graph.unregister("\(name):\(port.symbol)") }
            return nil
        }
        if let refusal { throw refusal }
    }

    func activate(
        _ parts: [StagePart], heard: Int, start: StartPolicy, mutesOnRouteLoss: Bool
    ) throws(JACKError) {
        let (name, sampleRate) = (name, sampleRate)
        let refusal: JACKError? = ask(.serverGone) { graph, stage in
            guard graph.health != .gone else { return .serverGone }
            guard stage.driver == nil else {
                return .notActivated(step: "activate the client", detail: "it is active or closed")
            }
            if let refusal = graph.refusals.activation { return refusal }
            let ports = MemoryPorts(parts, of: name)
            for port in ports.inputs { graph.register(port, isInput: true) }
            for port in stage.monitorInputs.ports { graph.register("\(name):\(port.symbol)", isInput: true) }
            for port in ports.ears + ports.print { graph.register(port, isInput: false) }
            stage.activate(
                parts, heard: heard, ports: ports, start: start, mutesOnRouteLoss: mutesOnRouteLoss, rate: sampleRate)
            return nil
        }
        if let refusal { throw refusal }
        server.attachMIDI(of: name)
        // As on a real server, the first connections are reported once.
        ask(()) { $1.tell(.connectionsChanged) }
    }

    func play(_ parts: [StagePart], heard: Int) throws(JACKError) {
        let name = name
        let refusal: JACKError? = ask(.serverGone) { graph, stage in
            guard graph.health != .gone, stage.driver != nil else { return .serverGone }
            let (ports, former) = (MemoryPorts(parts, of: name), MemoryPorts(stage.cycles.parts, of: name))
            for port in ports.inputs where !former.inputs.contains(port) { graph.register(port, isInput: true) }
            for port in ports.print where former.print.isEmpty { graph.register(port, isInput: false) }
            stage.play(parts, heard: heard, ports: ports)
            for port in former.inputs where !ports.inputs.contains(port) { graph.unregister(port) }
            for port in former.print where ports.print.isEmpty { graph.unregister(port) }
            return nil
        }
        if let refusal { throw refusal }
        ask(()) { $1.tell(.connectionsChanged) }
    }

    func hear(_ part: Int) { ask(()) { $1.driver?.hear(part) } }

    var isSettled: Bool { ask(true) { $1.driver?.isSettled ?? true } }

    func requestStart(atFrame frame: UInt32?, timeout: Duration) async throws(JACKError) -> UInt32 {
        let outcome = await withCheckedContinuation { continuation in
            let isRefused: JACKError? = ask(.serverGone) { graph, stage in
                switch graph.health {
                case .gone: return .serverGone
                case .hung: return .startTimedOut
                case .running: stage.ask(at: frame, continuation)
                }
                return nil
            }
            if let isRefused { continuation.resume(returning: .failure(isRefused)) }
        }
        return try outcome.get()
    }

    func close() {
        _ = try? stopRecording { _ in }
        server.detachMIDI(of: name)
        ask(()) { graph, stage in
            stage.close()
            graph.remove(name)
            graph.tellChanges()
        }
    }

    // MARK: Connections

    func connectOutputs(to pattern: String) throws(JACKError) -> [String] {
        let found = try others(pattern, areInputs: true)
        let pair = [found[0], found.count > 1 ? found[1] : found[0]]
        for (output, target) in zip(["out_L", "out_R"], pair) { try connect("\(name):\(output)", to: target) }
        return pair
    }

    func connectInputs(from pattern: String) throws(JACKError) -> [JACKLink] {
        let inputs = ask([]) { $1.ports.inputs }
        let links = zip(try others(pattern, areInputs: false), inputs).map { JACKLink(from: $0, to: $1) }
        for link in links { try connect(link.from, to: link.to) }
        return links
    }

    /// Returns the ports of other clients that a pattern names. Throws if there are none.
    private func others(_ pattern: String, areInputs: Bool) throws(JACKError) -> [String] {
        let (found, all) = server.graph.withLock { graph in
            let all = graph.names(isInput: areInputs)
            if pattern == "physical" { return (graph.names(isInput: areInputs) { $0.isPhysical }, all) }
            let found = (all.contains(pattern) ? [pattern] : JACKConnections.alternatives(pattern)).flatMap { wanted in
                if all.contains(wanted) { return [wanted] }
                guard let expression = try? Regex("(\(wanted))") else { return [] }
                return all.filter { $0.wholeMatch(of: expression) != nil }
            }
            return (found, all)
        }
        let wanted = found.filter { !$0.hasPrefix(name + ":") }
        guard !wanted.isEmpty else {
            throw .noSuchPort(
                pattern: pattern, takesSound: areInputs, available: all.filter { !$0.hasPrefix(name + ":") })
        }
        return wanted
    }

    func connect(_ from: String, to: String) throws(JACKError) {
        let refusal: JACKError? = ask(.serverGone) { graph, _ in
            guard graph.health != .gone else { return .serverGone }
            if let refusal = graph.refusals.connection { return refusal }
            defer { graph.tellChanges() }
            return graph.make(JACKLink(from: from, to: to)) ? nil : .notConnected(from: from, to: to, code: -1)
        }
        if let refusal { throw refusal }
    }

    var links: [JACKLink] {
        ask([]) { graph, stage in
            let inputs = stage.ports.inputs + stage.monitorInputs.ports.map { "\(name):\($0.symbol)" }
            let outputs = stage.ports.ears + stage.ports.print
            return graph.links.filter { inputs.contains($0.to) || outputs.contains($0.from) }
        }
    }

    // A server in memory reads no latencies.
    func latencyChanged() {}

    // MARK: Presence

    func clientExists(_ name: String) -> Bool {
        ask(false) { graph, _ in graph.health == .running && graph.clients.contains(name) }
    }

    func portExists(_ name: String) -> Bool {
        ask(false) { graph, _ in graph.health == .running && graph.port(name) != nil }
    }

    func publish(state: String) { ask(()) { $1.published = state } }

    // MARK: Taps

    func attach(_ tap: ThreadOwned<SoundTap>) {
        ask(()) { _, stage in
            stage.driver?.attach(tap)
        }
    }

    func detachSoundTap() -> Bool {
        // No cycle runs while the lock is held. A real server that hangs could not guarantee that, so the result is
        // then false.
        ask(true) { graph, stage in
            stage.driver?.attach(nil)
            return graph.health != .hung
        }
    }

    func record(to path: String, waitsForStart: Bool, replaces: Bool) throws(SoundFileError) {
        let failure: SoundFileError? = ask(nil) { _, stage in
            if let former = stage.recorder { stage.driver?.discard(former) }
            do throws(SoundFileError) {
                stage.recorder = try stage.driver?.record(
                    to: path, waitsForStart: waitsForStart, replaces: replaces)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    var recorder: Recorder? { ask(nil) { $1.recorder } }

    func discardRecording() {
        ask(()) { _, stage in
            if let recorder = stage.recorder { stage.driver?.discard(recorder) }
            stage.recorder = nil
        }
    }

    func stopRecording(whenSlow: (String) -> Void) throws(SoundFileError) -> Recorder.Summary? {
        let outcome: Result<Recorder.Summary?, SoundFileError> = ask(.success(nil)) { _, stage in
            guard let recorder = stage.recorder, let driver = stage.driver else { return .success(nil) }
            stage.recorder = nil
            do throws(SoundFileError) { return .success(try driver.stop(recorder)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}
