import Rendering
import Signal

@testable import AudioIO

/// State of a stage's client on a server in memory: ports, cycles, routes, start requests and events. Used only under
/// the server's lock.
final class MemoryStageState {
    let name: String
    /// Ports of the stage; none before activation.
    private(set) var ports = MemoryPorts()
    /// Open inputs of the monitor section, or those that the activation will open.
    var monitorInputs: MonitorInputs = []
    /// MIDI of the client; nil without MIDI.
    var midi: StageMIDI?
    /// Buffers of the MIDI messages while the client is active.
    var exchange: ThreadOwned<MIDIExchange>?
    var recorder: Recorder?
    var published: String?
    var cycles = MemoryCycles()
    var routes = MemoryRoutes()
    private(set) var losses = MemoryLosses()
    private var start = MemoryStart()
    private let continuation: AsyncStream<JACKEvent>.Continuation

    init(name: String, continuation: AsyncStream<JACKEvent>.Continuation) {
        self.name = name
        self.continuation = continuation
    }

    /// Driver of the client's cycles; nil before activation.
    var driver: MemoryDriver? { cycles.driver }

    /// `[channel]`: output of the print bus in the last cycle.
    var printed: [[Float]] { driver?.printed ?? [] }

    /// Begins to run in each cycle.
    func activate(
        _ parts: [StagePart], heard: Int, ports: MemoryPorts, start: StartPolicy, mutesOnRouteLoss: Bool,
        rate: SampleRate
    ) {
        self.ports = ports
        routes.mutesOnLoss = mutesOnRouteLoss
        cycles.activate(parts, heard: heard, inputs: ports.inputs.count, start: start, rate: rate)
    }

    /// Switches to other parts from the next cycle on.
    func play(_ parts: [StagePart], heard: Int, ports: MemoryPorts) {
        self.ports = ports
        cycles.play(parts, heard: heard, inputs: ports.inputs.count)
    }

    /// Returns the index of the output with this port name; nil if there is none.
    func ear(_ port: String) -> Int? { ports.ears.firstIndex(of: port) }

    // MARK: Events

    /// Sends an event of the driver.
    func tell(_ event: JACKEvent) { continuation.yield(event) }

    /// Handles the loss of an output's route: mutes if the client mutes on route loss, and records the loss for the
    /// next `tellChanges`.
    func loseRoute() {
        if routes.mutesOnLoss { for part in cycles.parts { part.renderer.gate.pointee.close() } }
        routes.noteLoss()
    }

    /// Records that a connection was made or removed, if it is a connection of this client.
    func noteChange(of link: JACKLink) {
        if ports.ears.contains(link.from) || ports.inputs.contains(link.to) { routes.noteChange() }
    }

    /// Sends the events of lost routes, then those of connections, once each.
    func tellChanges() {
        for event in routes.takeEvents(ports.ears) { tell(event) }
    }

    /// Counts frames by which the clock ran ahead of the cycles.
    func skip(_ frames: Int) {
        losses.skip(frames)
        cycles.followsGap = true
    }

    /// Ends the events. A pending start request fails.
    func close() {
        fail(.serverGone)
        continuation.finish()
        cycles.end()
    }

    // MARK: Starts

    /// Requests a start for a task. Replaces a pending request.
    func ask(at frame: UInt32?, _ continuation: CheckedContinuation<Result<UInt32, JACKError>, Never>) {
        start.ask(at: frame, of: driver, continuation)
    }

    /// Whether a start request is pending.
    var isAsked: Bool { start.isAsked }

    /// Resumes the waiting task when a cycle has handled its request.
    func answer(holding: Bool) {
        if !holding { start.answer(by: driver, now: cycles.firstFrame) }
    }

    /// Lets a pending start request fail.
    func fail(_ error: JACKError) { start.fail(error) }
}
