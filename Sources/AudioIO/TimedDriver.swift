import CRealtime
import Rendering
import Signal

/// A driver for measurements: renders periods one after the other over prepared buffers, as a JACK client's callback
/// would, and returns the duration of each. The input is noise, the head turns, the output is dropped. The calling
/// thread acts as the audio thread.
package final class TimedDriver {
    /// Frames per period.
    package let frames: Int

    private let renderer: StageRenderer
    private let sampleRate: SampleRate
    private let cast: UnsafeMutablePointer<StageCast>
    private let cycle: UnsafeMutablePointer<StageCycle>
    private let input: PlanarBlock
    private let ears: PlanarBlock
    private let turnHead: (Double) -> Void
    private var frame: UInt32 = 0
    private var seconds = 0.0
    private var forecastTime = -Double.infinity

    /// Seconds of stream time between two forecasts: a tracker of 100 Hz.
    private static let forecastInterval = 0.01

    /// Drives a renderer whose poses come from its mailbox. Allocates; off the audio thread.
    ///
    /// - Parameters:
    ///   - frames: frames per period, 1…8192.
    ///   - turnHead: called every 10 ms of stream time, with that time in seconds, to put a forecast into the mailbox.
    package init(
        renderer: StageRenderer, inputCount: Int, sampleRate: SampleRate, frames: Int,
        turnHead: @escaping (Double) -> Void
    ) {
        precondition((1...StageCycle.maximumFrames).contains(frames))
        self.renderer = renderer
        self.sampleRate = sampleRate
        self.frames = frames
        self.turnHead = turnHead
        input = PlanarBlock(channels: inputCount, frames: frames)
        ears = PlanarBlock(channels: 2, frames: frames)
        var state: UInt64 = 2026
        for channel in 0..<inputCount {
            for i in 0..<frames {
                // The level is low enough that no output guard acts on a sum of 64.
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                input[channel][i] = (Float(state >> 40) / Float(1 << 24) - 0.5) * 0.02
            }
        }
        cast = .allocate(capacity: 1)
        let part = StagePart(renderer, inputs: .numbered(inputCount))
        cast.initialize(to: StageCast([part], heard: 0, sampleRate: sampleRate))
        cycle = .allocate(capacity: 1)
        cycle.initialize(to: StageCycle(cast, sampleRate: sampleRate, policy: .firstCycle))
        for channel in 0..<inputCount { cycle.pointee.inputs[channel] = UnsafePointer(input[channel]) }
        for ear in 0..<2 { cycle.pointee.outputs[ear] = ears[ear] }
    }

    deinit {
        cycle.deinitialize(count: 1)
        cycle.deallocate()
        cast.deinitialize(count: 1)
        cast.deallocate()
    }

    /// Renders the next period; returns its duration in nanoseconds by the monotonic clock. Neither locks nor
    /// allocates, except in `turnHead`.
    package func renderPeriod() -> Int {
        if seconds - forecastTime >= TimedDriver.forecastInterval {
            turnHead(seconds)
            forecastTime = seconds
        }
        let begun = prc_monotonic_nanoseconds()
        cycle.pointee.run(frames: frames, firstFrame: frame, live: true, heardAt: seconds, isRolling: false)
        let taken = prc_monotonic_nanoseconds() - begun
        frame &+= UInt32(frames)
        seconds += sampleRate.seconds(frames: frames)
        return Int(taken)
    }
}
