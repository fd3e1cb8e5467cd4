import CRealtime
import Convolution
import Geometry
import HRTF
import Inserts
import Signal
import Soundstage

/// All state and processing of the audio thread, from input channels to two ears.
///
/// Reached by pointer from a driver's callback; `StageRenderer` makes it, publishes to it and frees it.
package struct StageGraph: ~Copyable {
    let sampleRate: Double
    let slice: Int
    let fade: Int
    let sourceCount: Int
    /// Voices of the sound field's mix, numbered after the sources.
    let voiceCount: Int
    let inputCount: Int
    let mailbox: LatestValue<PoseForecast>
    let track: PoseTrack
    let exchange: BankExchange
    let telemetryBox: LatestValue<Telemetry>

    var history: SourceHistory
    /// Copies for sources with width: one group per programme that can have any, and the group's programme.
    let copies: UnsafeMutablePointer<DecorrelatedCopies>
    let copyProgrammes: UnsafeMutablePointer<Int>
    let copyCount: Int
    /// The current slice at both ears in each state.
    let ears: StageEars
    var output: OutputStage
    /// Filters in use, and those that they have just replaced.
    var bank: BankReference
    var parting: BankReference?
    /// Programmes that feed the sources, with the sound field; nil: each source plays its input.
    var programmes: UnsafeMutablePointer<ProgrammeBus>?
    /// Plugin chains.
    let inserts: UnsafeMutablePointer<InsertStage>
    /// Monitor section of loudspeakers and ears.
    var monitor: MonitorStage
    /// Whether the times of a pose log are those of the sound, which plugin chains delay.
    let posesFollowSound: Bool
    /// Orientation of each programme's stage to the head.
    let turns: StageTurns
    /// The room around the sources.
    let room: UnsafeMutablePointer<RoomStage>
    /// Filter states of the current slice, at most 1 + slice/fade; one where nothing moves.
    let states: UnsafeMutablePointer<FilterList>
    var stateCount = 1
    /// Frames of the current slice already rendered.
    var position = 0
    /// Stream frame at which the current slice begins.
    var sliceStart = 0
    /// Frames of the current fade before this slice: not 0 in the second slice of a fade that spans two.
    var elapsed = 0
    /// Poses in the middle of a fade that spans two slices.
    var halfway = Quaternion.identity, roomHalfway = Quaternion.identity
    /// Whether no slice was rendered since the stream began.
    var isFresh = true
    var pose = Quaternion.identity
    /// Pose of the head relative to the leading stage, a sound field's where there is one, and relative to the room.
    var leadPose = Quaternion.identity, roomPose = Quaternion.identity
    var telemetry = Telemetry()
    var poseRecords: Ring<PoseRecord>?
    /// Ring for the head's expected yaw rates, in streams with a room, nil without recording; and the rate recorded
    /// last, nil before the first in a stream.
    var turnRecords: Ring<TurnRecord>?
    var notedTurn: Double?
    /// Ring for changes of the controls, and recorded changes for replay; each nil without.
    var changeRecords: Ring<StageChange>?
    var automation: UnsafeMutablePointer<StageAutomation>?
    /// Whether the room is on in this slice.
    var roomIsOn = true
    /// Whether the headphone equalisation is on in this slice; nil without one.
    var headphonesAreOn: Bool?

    /// Renders one period of `frames` ≥ 0 frames. `inputs` has one row per input channel, `outputs` two (left, right);
    /// they may not overlap. `connected`: whether each input has a connection (nil: all have). Never fails; the latency
    /// is that of programmes, plugins and guard. Samples that are not finite count as 0, magnitudes above
    /// `Samples.loudest` as that.
    ///
    /// The stream is processed in slices. A slice that lies wholly within a period is transformed once. Where a period
    /// ends inside a slice, its beginning is rendered at once, with silence for the frames to come, and again with more
    /// frames in the next period. `Documentation/measurements/performance.md` has the cost.
    @_noLocks
    package mutating func process(
        inputs: UnsafePointer<UnsafePointer<Float>>, outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int,
        time: PeriodTime, connected: UnsafePointer<Bool>? = nil
    ) {
        let started = prc_monotonic_nanoseconds()
        prc_flush_denormals()
        if time.restart { restart(offline: !time.live) }
        output.beginPeriod()
        telemetry.inputPeaks = InlineArray(repeating: 0)
        let (left, right) = (outputs[0], outputs[1])
        var done = 0
        while done < frames {
            if position == 0 {
                inserts.pointee.beginSlice(atOnce: isFresh, offline: !time.live)
                monitor.beginSlice(atOnce: isFresh)
                beginSlice(time, heardAt: time.heardAt + behindEars + Double(done) / sampleRate)
            }
            let count = min(slice - position, frames - done)
            take(
                inputs, connected: connected, followsGap: time.followsGap && done == 0, from: done, count: count)
            history.complete(upTo: position + count)
            for group in 0..<copyCount { copies[group].complete(upTo: position + count, count: count) }
            hear()
            ears.mix(
                from: position, count: count, states: stateCount, fade: fade, elapsed: elapsed, left: left + done,
                right: right + done)
            programmes?.pointee.hear(from: position, count: count, left: left + done, right: right + done)
            room.pointee.add(from: position, count: count, left: left + done, right: right + done)
            output.process(left + done, right + done, count: count)
            inserts.pointee.advance(count)
            position += count
            done += count
            if position == slice { endSlice() }
        }
        telemetry.isLive = time.live
        telemetry.heardAt = time.heardAt + behindEars + Double(frames) / sampleRate
        report(frames: frames, nanoseconds: Int(prc_monotonic_nanoseconds() - started))
    }

    /// Applies the monitor section to the ears of a period that `process` has rendered, in place, after their recording
    /// and metering. Neutral settings cost nothing. `feed`: signals past the stage.
    @_noLocks
    package mutating func finish(
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, feed: MonitorFeed = MonitorFeed()
    ) {
        monitor.finish(outputs[0], outputs[1], count: frames, feed: feed, isOpen: output.isOpen)
    }

    /// Delay from the ears to the end of the graph, seconds.
    private var behindEars: Double {
        @_noLocks get { (Double(output.latencyFrames) + inserts.pointee.afterEars) / sampleRate }
    }

    /// Sets stream time to 0 with silent history, as in a new graph; offline, plugins are reset too.
    @_noLocks
    private mutating func restart(offline: Bool) {
        inserts.pointee.restart(offline: offline)
        history.reset()
        for group in 0..<copyCount { copies[group].restart() }
        programmes?.pointee.restart()
        beginAutomation()
        output.restart()
        position = 0
        sliceStart = 0
        elapsed = 0
        isFresh = true
    }

    /// Renders every state of the slice as far as it has samples. In a slice with a change of filters, the first state
    /// has the old filters, the others have the new ones.
    @_noLocks
    private func hear() {
        bank.pointer.pointee.analyse(history, copies)
        guard let parting else {
            bank.pointer.pointee.render(states, count: stateCount, into: ears, first: 0, copies)
            return
        }
        parting.pointer.pointee.analyse(history, copies)
        parting.pointer.pointee.render(states, count: 1, into: ears, first: 0, copies)
        bank.pointer.pointee.render(states + 1, count: stateCount - 1, into: ears, first: 1, copies)
    }

    /// Reads samples of all sources into the current slice.
    @_noLocks
    private mutating func take(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, connected: UnsafePointer<Bool>?, followsGap: Bool,
        from start: Int, count: Int
    ) {
        room.pointee.prepare(at: position, count: count)
        if let programmes {
            programmes.pointee.take(
                inputs, connected: connected, followsGap: followsGap, from: start, count: count, to: history,
                at: position, telemetry: &telemetry)
        } else {
            for source in 0..<sourceCount {
                let samples = history.samples(ofSource: source) + position
                let taken = Samples.take(inputs[source] + start, to: samples, count: count)
                telemetry.refusedSamples += taken.refused
                telemetry.note(peak: taken.peak, ofInput: source)
            }
        }
        monitor.apply(to: history, at: position, count: count)
        share(count: count)
    }

    /// Passes the samples just read to the room and to the copies for width; no work without either.
    @_noLocks
    private mutating func share(count: Int) {
        if room.pointee.isPresent {
            for source in 0..<(sourceCount + voiceCount) {
                room.pointee.take(source, history.samples(ofSource: source) + position, at: position, count: count)
            }
        }
        for group in 0..<copyCount where copies[group].isActive {
            for source in 0..<(sourceCount + voiceCount) {
                copies[group].take(
                    source, history.samples(ofSource: source) + position, at: position, count: count)
            }
        }
    }

    /// Completes the period's telemetry and publishes it.
    @_noLocks
    private mutating func report(frames: Int, nanoseconds: Int) {
        telemetry.periods += 1
        telemetry.streamFrame = sliceStart + position
        telemetry.frames = frames
        telemetry.nanoseconds = nanoseconds
        telemetry.outputPeaks = output.peaks
        telemetry.guardGain = output.gain
        telemetry.moveMeters(seconds: Double(frames) / sampleRate, sources: inputCount)
        telemetry.clipped = output.clipped
        if output.clipped { telemetry.clippedPeriods += 1 }
        telemetry.headToStage = pose
        telemetryBox.store(telemetry)
    }
}
