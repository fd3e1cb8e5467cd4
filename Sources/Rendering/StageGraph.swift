import CRealtime
import Convolution
import Geometry
import HRTF
import Inserts
import Signal
import Soundstage

/// All state and processing of the audio thread, from input channels to two ears.
///
/// A driver's callback uses the graph by pointer. `StageRenderer` makes the graph, publishes data to it and frees it.
package struct StageGraph: ~Copyable {
    let sampleRate: Double
    let slice: Int
    let fade: Int
    let sourceCount: Int
    /// Number of voices of the sound fields' mixes. The voices are numbered after the sources.
    let voiceCount: Int
    let inputCount: Int
    let mailbox: LatestValue<PoseForecast>
    let track: PoseTrack
    let exchange: BankExchange
    let telemetryBox: LatestValue<Telemetry>

    var history: SourceHistory
    /// Decorrelated copies of sources with width, in groups: one group for each programme that can have such sources.
    let copies: UnsafeMutablePointer<DecorrelatedCopies>
    /// `[group]`: index of the group's programme.
    let copyProgrammes: UnsafeMutablePointer<Int>
    let copyCount: Int
    /// Output of both ears for the current slice, in each filter state.
    let ears: StageEars
    var output: OutputStage
    /// Filters in use.
    var bank: BankReference
    /// Filters that `bank` has just replaced; nil without a replacement.
    var parting: BankReference?
    /// Programmes that feed the sources and the sound fields. Without programmes (nil) each source plays its input
    /// channel.
    var programmes: UnsafeMutablePointer<ProgrammeBus>?
    /// Plugin chains.
    let inserts: UnsafeMutablePointer<InsertStage>
    /// Monitor section of loudspeakers and ears.
    var monitor: MonitorStage
    /// Whether the times of a pose log refer to the sound at the ears. Plugin chains delay that sound.
    let posesFollowSound: Bool
    /// Orientation of each programme's stage relative to the head.
    let turns: StageTurns
    /// The room around the sources.
    let room: UnsafeMutablePointer<RoomStage>
    /// Filter states of the current slice: one if no source moves relative to the head, otherwise one more than the
    /// slice has fades.
    let states: UnsafeMutablePointer<FilterList>
    var stateCount = 1
    /// Frames of the current slice that are already rendered.
    var position = 0
    /// Stream frame at which the current slice begins.
    var sliceStart = 0
    /// Frames of the current fade that earlier slices rendered. It is 0 except in the second slice of a fade that spans
    /// two slices.
    var elapsed = 0
    /// Poses at the middle of a fade that spans two slices: the head relative to the leading stage, and relative to the
    /// room.
    var halfway = Quaternion.identity, roomHalfway = Quaternion.identity
    /// Whether no slice has been rendered since the stream began.
    var isFresh = true
    var pose = Quaternion.identity
    /// Pose of the head relative to the leading stage (the first sound field's, else the first programme's). `roomPose`
    /// is the pose relative to the room.
    var leadPose = Quaternion.identity, roomPose = Quaternion.identity
    var telemetry = Telemetry()
    var poseRecords: Ring<PoseRecord>?
    /// Ring that records the head's expected yaw rates in streams with a room; nil if they are not recorded.
    var turnRecords: Ring<TurnRecord>?
    /// Yaw rate recorded last, radians per frame; nil before the first record of a stream.
    var notedTurn: Double?
    /// Ring that records changes of the controls; nil if they are not recorded.
    var changeRecords: Ring<StageChange>?
    /// Recorded changes for replay; nil without a replay.
    var automation: UnsafeMutablePointer<StageAutomation>?
    /// Whether the room is on in this slice.
    var roomIsOn = true
    /// Whether the headphone equalisation is on in this slice; nil without an equalisation.
    var headphonesAreOn: Bool?

    /// Renders one period of `frames` ≥ 0 frames.
    ///
    /// `inputs` has one row per input channel, `outputs` has two rows (left, right). The rows must not overlap.
    /// `connected[input]` is true if the input has a connection; if `connected` is nil, all have. Samples that are not
    /// finite count as 0. Magnitudes above `Samples.loudest` are reduced to this value. The latency is the sum of the
    /// latencies of programmes, plugins and output limiter. The call cannot fail.
    ///
    /// The stream is processed in slices. A slice that lies wholly within a period is transformed once. Where a period
    /// ends inside a slice, the frames that have arrived are rendered at once, with silence in place of the rest. The
    /// next period renders the slice again with more frames. `Documentation/measurements/performance.md` has the cost.
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
                followAutomation()
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

    /// Applies the monitor section, in place, to the ears of a period that `process` has rendered. The driver calls it
    /// after it has recorded and metered the ears. Neutral settings cost nothing. `feed` holds the signals that bypass
    /// the stage.
    @_noLocks
    package mutating func finish(
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, feed: MonitorFeed = MonitorFeed()
    ) {
        monitor.finish(outputs[0], outputs[1], count: frames, feed: feed, isOpen: output.isOpen)
    }

    /// Delay from the sum of the sources to the graph's output, seconds: that of the plugins at the ears and of the
    /// limiter.
    private var behindEars: Double {
        @_noLocks get { (Double(output.latencyFrames) + inserts.pointee.afterEars) / sampleRate }
    }

    /// Sets stream time to 0 with silent history, as in a new graph. Offline, the plugins are reset too.
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

    /// Renders all filter states of the slice from the samples that have arrived. In a slice in which new filters
    /// replace old ones, the first state has the old filters and all later states have the new ones.
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

    /// Reads the next `count` samples of all sources into the current slice.
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

    /// Passes the newly read samples to the room and to the decorrelated copies. Does nothing without a room or copies.
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
