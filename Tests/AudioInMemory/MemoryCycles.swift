import Rendering
import Signal

@testable import AudioIO

/// Cycles of a stage's client in memory: the parts that play, and what the last cycle has left.
struct MemoryCycles {
    /// Driver of the cycles; nil before activation.
    private(set) var driver: MemoryDriver?
    /// Parts that play.
    private(set) var parts: [StagePart] = []
    /// Whether the stage is silent because the server has changed its sample rate.
    var isSilenced = false
    /// Whether frames were lost before the next cycle.
    var followsGap = false
    /// Frame clock at the newest cycle's first frame.
    private(set) var firstFrame: UInt32 = 0
    /// `[ear]`: output since it was read last.
    private var ears: [[Float]] = [[], []]
    /// Number of connections of each input in the last cycle.
    private var connections: [Int] = []

    /// Begins to run in each cycle.
    mutating func activate(
        _ parts: [StagePart], heard: Int, inputs: Int, start: StartPolicy, rate: SampleRate
    ) {
        self.parts = parts
        connections = [Int](repeating: 0, count: inputs)
        driver = MemoryDriver(parts, heard: heard, sampleRate: rate, policy: start)
    }

    /// Switches to other parts from the next cycle on.
    mutating func play(_ parts: [StagePart], heard: Int, inputs: Int) {
        self.parts = parts
        connections = [Int](repeating: 0, count: inputs)
        driver?.play(parts, heard: heard)
    }

    /// Ends the cycles.
    mutating func end() { driver = nil }

    /// Runs one cycle and returns the two outputs. `past` has the samples at the ports of `monitorInputs`.
    mutating func run(
        _ sound: [[Float]], past: [[Float]], at monitorInputs: MonitorInputs, connections counts: [Int], frames: Int,
        firstFrame: UInt32, isLive: Bool, heardAt: Double, isRolling: Bool
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
        self.firstFrame = firstFrame
        driver.heardAtFrameZero = heardAt - Double(firstFrame) / first.renderer.configuration.sampleRate.hertz
        (driver.isLive, driver.isRolling) = (isLive, isRolling)
        driver.reference = monitorInputs.contains(.reference) ? Array(past.prefix(2)) : []
        driver.talkback = monitorInputs.contains(.talkback) ? past.last ?? [] : []
        let played = driver.run(sound, periods: [frames], followsGap: followsGap)
        followsGap = false
        for ear in 0..<2 { ears[ear] += played[ear] }
        return played
    }

    /// Returns the samples of the two outputs since the last call, `[ear][frame]`.
    mutating func takeEars() -> [[Float]] {
        defer { ears = [[], []] }
        return ears
    }
}
