import Rendering
import Signal
import Synchronization

/// A stage's client as its server in memory knows it: ports, route, what was asked and what happened. Used under the
/// server's lock alone.
final class MemoryStageState {
    let name: String
    private(set) var inputs: [String] = []
    private(set) var outputs: [String] = []
    /// What runs its cycles; nil before activation.
    private(set) var driver: MemoryDriver?
    /// What plays.
    private(set) var parts: [StagePart] = []
    /// The print bus's ports, where there is one.
    private(set) var printBus: [String] = []
    /// `[channel]`: what the print bus played in the last cycle.
    var printed: [[Float]] { driver?.printed ?? [] }
    /// The inputs past the stage that are there, or come with activation.
    var monitorInputs: MonitorInputs = []
    /// What hears its MIDI messages, and what they pass through while it is active.
    var midi: StageMIDI?
    var exchange: ThreadOwned<MIDIExchange>?
    private var mutesOnRouteLoss = false
    var route = RouteWatch()
    var recorder: Recorder?
    private var hasRouteLoss = false
    private var hasChange = false
    /// The graph is at another rate than the server: silence.
    var isSilenced = false
    var xruns = 0
    var skippedFrames = 0
    var published: String?
    /// Frames were lost before the next cycle.
    var followsGap = false
    /// `[ear]`: what was played since it was last asked for.
    var ears: [[Float]] = [[], []]
    /// Connections of each input in the last cycle.
    private var connections: [Int] = []
    private var waiting: CheckedContinuation<Result<UInt32, JACKError>, Never>?
    private var asked: UInt32?
    /// The clock at the newest cycle's first frame.
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

    /// Runs with other parts from the next cycle on.
    func play(_ parts: [StagePart], heard: Int, ports: MemoryPorts) {
        (self.parts, inputs, printBus) = (parts, ports.inputs, ports.print)
        connections = inputs.map { _ in 0 }
        driver?.play(parts, heard: heard)
    }

    /// Which ear a port is; nil for any other.
    func ear(_ port: String) -> Int? { outputs.firstIndex(of: port) }

    // MARK: Events

    /// Says what happened to the listeners of the driver's events.
    func tell(_ event: JACKEvent) { continuation.yield(event) }

    /// An ear's route went: mutes where that was asked for, and is told with the next `tellChanges`.
    func loseRoute() {
        if mutesOnRouteLoss { for part in parts { part.renderer.gate.pointee.close() } }
        hasRouteLoss = true
    }

    /// A connection was made or undone, of this client or of another.
    func noteChange(of link: JACKLink) {
        if outputs.contains(link.from) || inputs.contains(link.to) { hasChange = true }
    }

    /// Tells of lost routes and then of connections, once each.
    func tellChanges() {
        if hasRouteLoss {
            tell(.routeLost(route.takeLost().map { JACKLink(from: outputs[$0.ear], to: $0.name) }))
            hasChange = true
        }
        if hasChange { tell(.connectionsChanged) }
        (hasRouteLoss, hasChange) = (false, false)
    }

    /// Ends its events, and refuses the starts that are waited for.
    func close() {
        fail(.serverGone)
        continuation.finish()
        driver = nil
    }

    // MARK: Cycles

    /// One cycle; the two ears. `past`: what comes in at the ports of `monitorInputs`.
    func run(
        _ sound: [[Float]], past: [[Float]], connections counts: [Int], frames: Int, firstFrame: UInt32, isLive: Bool,
        heardAt: Double,
        isRolling: Bool
    ) -> [[Float]] {
        guard let driver, let first = parts.first, !isSilenced, frames <= StageCycle.maximumFrames else {
            return [[Float]](repeating: [Float](repeating: 0, count: frames), count: 2)
        }
        if parts.contains(where: { $0.renderer.followsConnections }) {
            // One of several connections that comes or goes breaks their sum off, as on a real server.
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

    /// A task asks for a start; it takes the place of one that still waits.
    func ask(at frame: UInt32?, _ continuation: CheckedContinuation<Result<UInt32, JACKError>, Never>) {
        fail(.startReplaced)
        guard let driver else { return continuation.resume(returning: .failure(.serverGone)) }
        (waiting, asked) = (continuation, frame)
        driver.askToStart(at: frame)
    }

    /// Whether a task waits for a start.
    var isAsked: Bool { waiting != nil }

    /// Answers the waiting task, where a cycle has served the request.
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

    /// A task that waits for a start is told that there will be none.
    func fail(_ error: JACKError) {
        waiting?.resume(returning: .failure(error))
        waiting = nil
    }
}
