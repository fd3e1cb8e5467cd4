import CKernels
import CRealtime
import Convolution
import Geometry
import HRTF
import Signal

/// Everything the audio thread runs and touches to turn input channels into two ears.
///
/// Reached by pointer from a driver's callback; made, published to and freed by `StageRenderer`.
package struct StageGraph: ~Copyable {
    let sampleRate: Double
    let shape: LaneShape
    let fade: Int
    let sourceCount: Int
    let mailbox: LatestValue<PoseForecast>
    let track: PoseTrack
    let exchange: BankExchange
    let telemetryBox: LatestValue<Telemetry>

    var fourier: LaneFourier
    var history: InputHistory
    var sum: BinauralSum
    var output: OutputStage
    /// The filters in use, and those a swap has just replaced.
    var bank: BankReference
    var parting: BankReference?
    /// The filter states of the current slice, at most 1 + slice/fade; one where nothing moves.
    let states: UnsafeMutablePointer<FilterState>
    var stateCount = 1
    /// Frames of the current slice already rendered.
    var position = 0
    /// Stream frame at which the current slice begins.
    var sliceStart = 0
    /// No slice was rendered since the stream began.
    var isFresh = true
    var pose = Quaternion.identity
    var telemetry = Telemetry()
    var poseRecords: Ring<PoseRecord>?

    /// Renders one period of `frames` ≥ 0 frames: `inputs` holds one row per source, `outputs` two (left, right); they may
    /// not overlap. Total; adds no latency beyond the guard's. Samples that are not finite count as 0.
    ///
    /// The stream is worked on in slices. One that lies wholly within a period is transformed once; where a period ends
    /// inside a slice, its beginning is rendered at once with silence for what is not yet known, and again with more of
    /// it in the next period; the share of past slices is summed only once. Cost: see `Documentation/performance.md`.
    @_noLocks
    package mutating func process(
        inputs: UnsafePointer<UnsafePointer<Float>>, outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int,
        time: PeriodTime
    ) {
        let started = prc_monotonic_nanoseconds()
        prc_flush_denormals()
        if time.restart { restart() }
        output.beginPeriod()
        telemetry.inputPeaks = InlineArray(repeating: 0)
        let (left, right) = (outputs[0], outputs[1])
        var done = 0
        while done < frames {
            if position == 0 { beginSlice(time, heardAt: time.heardAt + Double(done) / sampleRate) }
            let count = min(shape.slice - position, frames - done)
            take(inputs, from: done, count: count)
            history.transform(from: position, to: position + count, with: fourier)
            if count == shape.slice {
                sum.whole(history, states, count: stateCount, with: fourier)
            } else {
                sum.part(history, states, count: stateCount, isFirst: position == 0, with: fourier)
            }
            spread(count: count, left: left + done, right: right + done)
            output.process(left + done, right + done, count: count)
            position += count
            done += count
            if position == shape.slice { endSlice() }
        }
        report(frames: frames, nanoseconds: Int(prc_monotonic_nanoseconds() - started))
    }

    /// Sets stream time to 0 with silent history, as in a graph just made.
    @_noLocks
    private mutating func restart() {
        history.reset()
        output.restart()
        position = 0
        sliceStart = 0
        isFresh = true
    }

    /// Copies samples of all sources into the current slice.
    @_noLocks
    private mutating func take(_ inputs: UnsafePointer<UnsafePointer<Float>>, from start: Int, count: Int) {
        for source in 0..<sourceCount {
            let samples = history.samples(ofSource: source) + position
            telemetry.refusedSamples += prk_cleanse(count, inputs[source] + start, samples)
            let peak = prk_peak(count, samples)
            if peak > telemetry.inputPeaks[source] { telemetry.inputPeaks[source] = peak }
        }
    }

    /// Writes the ears of `count` frames from `position` on, fading between the slice's filter states.
    @_noLocks
    private func spread(count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        let lanes = BinauralSum.lanes(states: stateCount)
        let frames = sum.slice(states: stateCount)
        if stateCount == 1 {
            prk_pick_ears(count, lanes, frames + position * lanes, left, right)
            return
        }
        var done = 0
        while done < count {
            let frame = position + done
            let segment = frame / fade
            let part = min((segment + 1) * fade - frame, count - done)
            // Frame i of a segment has i/fade of the next state: the segment's end is the next one's beginning.
            prk_fade_ears(
                part, lanes, Float(frame - segment * fade) / Float(fade), 1 / Float(fade),
                frames + frame * lanes + 2 * segment, left + done, right + done)
            done += part
        }
    }

    /// Completes the period's telemetry and shows it.
    @_noLocks
    private mutating func report(frames: Int, nanoseconds: Int) {
        telemetry.periods += 1
        telemetry.streamFrame = sliceStart + position
        telemetry.frames = frames
        telemetry.nanoseconds = nanoseconds
        telemetry.outputPeaks = output.peaks
        telemetry.guardGain = output.gain
        telemetry.clipped = output.clipped
        if output.clipped { telemetry.clippedPeriods += 1 }
        telemetry.headToStage = pose
        telemetryBox.store(telemetry)
    }
}
