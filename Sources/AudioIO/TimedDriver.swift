import CRealtime
import Rendering
import Signal

/// Driver for measurements. It renders periods one after the other over prepared buffers, as a JACK client's callback
/// would, and returns the processing time of each. The input is noise, the head turns, and the output is discarded. The
/// calling thread acts as the audio thread.
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

    /// Stream time between two forecasts, seconds, as with a tracker of 100 Hz.
    private static let forecastInterval = 0.01

    /// Makes a driver for a renderer whose poses come from its mailbox. Allocates memory; must not be called on the
    /// audio thread.
    ///
    /// - Parameters:
    ///   - frames: Frames per period, 1…8192.
    ///   - turnHead: Called before a period if 10 ms of stream time or more have passed since the last call, with the
    ///     stream time in seconds. The closure has to put a forecast of the head's pose into the mailbox.
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
                // The level is so low that the sum of 64 inputs does not reach the output limiter's threshold.
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

    /// Renders the next period. Returns the processing time without `turnHead`, nanoseconds of the monotonic clock.
    /// Neither locks nor allocates, except in `turnHead`.
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
