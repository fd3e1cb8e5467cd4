import Rendering
import Signal
import Synchronization

@testable import AudioIO

/// State of a stage's client on a server in memory: ports, route, start requests and events. Used only under the
/// server's lock.
final class MemoryStageState {
    let name: String
    private(set) var inputs: [String] = []
    private(set) var outputs: [String] = []
    /// Driver of the client's cycles; nil before activation.
    private(set) var driver: MemoryDriver?
    /// Parts that play.
    private(set) var parts: [StagePart] = []
    /// Ports of the print bus; empty without a print bus.
    private(set) var printBus: [String] = []
    /// `[channel]`: output of the print bus in the last cycle.
    var printed: [[Float]] { driver?.printed ?? [] }
    /// Open inputs of the monitor section, or those that the activation will open.
    var monitorInputs: MonitorInputs = []
    /// MIDI of the client; nil without MIDI.
    var midi: StageMIDI?
    /// Buffers of the MIDI messages while the client is active.
    var exchange: ThreadOwned<MIDIExchange>?
    private var mutesOnRouteLoss = false
    var route = RouteWatch()
    var recorder: Recorder?
    private var hasRouteLoss = false
    private var hasChange = false
    /// Whether the stage is silent because the server has changed its sample rate.
    var isSilenced = false
    var xruns = 0
    var skippedFrames = 0
    var lagSteps = LagSteps()
    var published: String?
    /// Whether frames were lost before the next cycle.
    var followsGap = false
    /// `[ear]`: output since it was read last.
    var ears: [[Float]] = [[], []]
    /// Number of connections of each input in the last cycle.
    private var connections: [Int] = []
    private var waiting: CheckedContinuation<Result<UInt32, JACKError>, Never>?
    private var asked: UInt32?
    /// Frame clock at the newest cycle's first frame.
    private var cycleStart: UInt32 = 0
    private let continuation: AsyncStream<JACKEvent>.Continuation

    init(name: String, continuation: AsyncStream<JACKEvent>.Continuation) {
        self.name = name
        self.continuation = continuation
    }

    /// Begins to run in each cycle.
    func activate(
        _ parts: [StagePart], heard: Int, ports: MemoryPorts, start: StartPolicy, mutesOnRouteLoss: Bool,
        rate: SampleRate
    ) {
        (self.parts, inputs, outputs, printBus) = (parts, ports.inputs, ports.ears, ports.print)
        self.mutesOnRouteLoss = mutesOnRouteLoss
        connections = inputs.map { _ in 0 }
        driver = MemoryDriver(parts, heard: heard, sampleRate: rate, policy: start)
    }

    /// Switches to other parts from the next cycle on.
    func play(_ parts: [StagePart], heard: Int, ports: MemoryPorts) {
        (self.parts, inputs, printBus) = (parts, ports.inputs, ports.print)
        connections = inputs.map { _ in 0 }
        driver?.play(parts, heard: heard)
    }

    /// Returns the index of the output with this port name; nil if there is none.
    func ear(_ port: String) -> Int? { outputs.firstIndex(of: port) }

    // MARK: Events

    /// Sends an event of the driver.
    func tell(_ event: JACKEvent) { continuation.yield(event) }

    /// Handles the loss of an output's route: mutes if the client mutes on route loss, and records the loss for the
    /// next `tellChanges`.
    func loseRoute() {
        if mutesOnRouteLoss { for part in parts { part.renderer.gate.pointee.close() } }
        hasRouteLoss = true
    }

    /// Records that a connection was made or removed, if it is a connection of this client.
    func noteChange(of link: JACKLink) {
        if outputs.contains(link.from) || inputs.contains(link.to) { hasChange = true }
    }

    /// Sends the events of lost routes, then those of connections, once each.
    func tellChanges() {
        if hasRouteLoss {
            tell(.routeLost(route.takeLost().map { JACKLink(from: outputs[$0.ear], to: $0.name) }))
            hasChange = true
        }
        if hasChange { tell(.connectionsChanged) }
        (hasRouteLoss, hasChange) = (false, false)
    }

    /// Ends the events. A pending start request fails.
    func close() {
        fail(.serverGone)
        continuation.finish()
        driver = nil
    }

    // MARK: Cycles

    /// Runs one cycle and returns the two outputs. `past` has the samples at the ports of `monitorInputs`.
    func run(
        _ sound: [[Float]], past: [[Float]], connections counts: [Int], frames: Int, firstFrame: UInt32, isLive: Bool,
        heardAt: Double,
        isRolling: Bool
    ) -> [[Float]] {
        guard let driver, let first = parts.first, !isSilenced, frames <= StageCycle.maximumFrames else {
            return [[Float]](repeating: [Float](repeating: 0, count: frames), count: 2)
        }
        if parts.contains(where: { $0.renderer.followsConnections }) {
            // If one of several connections changes, their sum is discontinuous, as on a real server.
            for (channel, now) in counts.enumerated() {
                let before = connections[channel]
                driver.connect(channel, now > 0 && (now == before || before == 0))
            }
            connections = counts
        }
        driver.frame = firstFrame
        cycleStart = firstFrame
        driver.heardAtFrameZero = heardAt - Double(firstFrame) / first.renderer.configuration.sampleRate.hertz
        (driver.isLive, driver.isRolling) = (isLive, isRolling)
        driver.reference = monitorInputs.contains(.reference) ? Array(past.prefix(2)) : []
        driver.talkback = monitorInputs.contains(.talkback) ? past.last ?? [] : []
        let played = driver.run(sound, periods: [frames], followsGap: followsGap)
        followsGap = false
        for ear in 0..<2 { ears[ear] += played[ear] }
        return played
    }

    // MARK: Starts

    /// Requests a start for a task. Replaces a pending request.
    func ask(at frame: UInt32?, _ continuation: CheckedContinuation<Result<UInt32, JACKError>, Never>) {
        fail(.startReplaced)
        guard let driver else { return continuation.resume(returning: .failure(.serverGone)) }
        (waiting, asked) = (continuation, frame)
        driver.askToStart(at: frame)
    }

    /// Whether a start request is pending.
    var isAsked: Bool { waiting != nil }

    /// Resumes the waiting task when a cycle has handled its request.
    func answer(holding: Bool) {
        guard !holding, let waiting, let driver else { return }
        if let frame = driver.startedFrame {
            waiting.resume(returning: .success(frame))
        } else if driver.missedStart {
            waiting.resume(returning: .failure(.startMissed(asked: asked ?? 0, now: cycleStart)))
        } else {
            return
        }
        self.waiting = nil
    }

    /// Lets a pending start request fail.
    func fail(_ error: JACKError) {
        waiting?.resume(returning: .failure(error))
        waiting = nil
    }
}
