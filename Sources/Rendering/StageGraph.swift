import CRealtime
import Convolution
import Geometry
import HRTF
import Inserts
import Signal
import Soundstage

/// Everything the audio thread runs and touches to turn input channels into two ears.
///
/// Reached by pointer from a driver's callback; made, published to and freed by `StageRenderer`.
package struct StageGraph: ~Copyable {
    let sampleRate: Double
    let slice: Int
    let fade: Int
    let sourceCount: Int
    /// Sources behind those: the voices of the sound field's mix.
    let voiceCount: Int
    let inputCount: Int
    let mailbox: LatestValue<PoseForecast>
    let track: PoseTrack
    let exchange: BankExchange
    let telemetryBox: LatestValue<Telemetry>

    var history: SourceHistory
    /// What sources with width are made of: for each programme that can have any, and which programme that is.
    let copies: UnsafeMutablePointer<DecorrelatedCopies>
    let copyProgrammes: UnsafeMutablePointer<Int>
    let copyCount: Int
    /// The current slice as both ears hear it in each state.
    let ears: StageEars
    var output: OutputStage
    /// The filters in use, and those a swap has just replaced.
    var bank: BankReference
    var parting: BankReference?
    /// What comes before the sources, with the sound field beside them; nil: each source plays its input.
    var programmes: UnsafeMutablePointer<ProgrammeBus>?
    /// Chains of plugins.
    let inserts: UnsafeMutablePointer<InsertStage>
    /// What an engineer asks of loudspeakers and ears.
    var monitor: MonitorStage
    /// Whether the moments of a pose log are those of the sound, which chains make late.
    let posesFollowSound: Bool
    /// How each programme's stage lies to the head.
    let turns: StageTurns
    /// The room around the sources.
    let room: UnsafeMutablePointer<RoomStage>
    /// The filter states of the current slice, at most 1 + slice/fade; one where nothing moves.
    let states: UnsafeMutablePointer<FilterList>
    var stateCount = 1
    /// Frames of the current slice already rendered.
    var position = 0
    /// Stream frame at which the current slice begins.
    var sliceStart = 0
    /// Frames of the current fade before this slice: not 0 in the second slice of a fade that spans two.
    var elapsed = 0
    /// Where a fade that spans two slices is at its middle.
    var halfway = Quaternion.identity, roomHalfway = Quaternion.identity
    /// No slice was rendered since the stream began.
    var isFresh = true
    var pose = Quaternion.identity
    /// The pose as the stage that leads takes it, which is a sound field's where there is one, and as the room does.
    var leadPose = Quaternion.identity, roomPose = Quaternion.identity
    var telemetry = Telemetry()
    var poseRecords: Ring<PoseRecord>?
    /// Where it is noted how the head was expected to turn, in streams with a room, and what was noted last; nil:
    /// nowhere, nothing in this stream.
    var turnRecords: Ring<TurnRecord>?
    var notedTurn: Double?
    /// Where what is asked for is noted, and what was noted once and is played again; nil: nowhere, nothing.
    var changeRecords: Ring<StageChange>?
    var automation: UnsafeMutablePointer<StageAutomation>?
    /// Whether the room is to be heard in this slice.
    var roomIsOn = true
    /// The same of the headphones' equalisation; nil without one.
    var headphonesAreOn: Bool?

    /// Renders one period of `frames` ≥ 0 frames: `inputs` holds one row per input channel, `outputs` two (left,
    /// right); they may not overlap; `connected` says of each input whether anything is delivered on it (nil: on all).
    /// Total; adds no latency beyond the guard's. Samples that are not finite count as 0, larger ones than
    /// `Samples.loudest` as that.
    ///
    /// The stream is worked on in slices. One that lies wholly within a period is transformed once; where a period ends
    /// inside a slice, its beginning is rendered at once with silence for what is not yet known, and again with more of
    /// it in the next period. `Documentation/performance.md` says what it costs.
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

    /// Gives the ears of a period that `process` has rendered what the monitor section is to hear, in place: after
    /// those that record or meter them. Nothing while nothing is asked for. `feed`: what comes past the stage.
    @_noLocks
    package mutating func finish(
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, feed: MonitorFeed = MonitorFeed()
    ) {
        monitor.finish(outputs[0], outputs[1], count: frames, feed: feed, isOpen: output.isOpen)
    }

    /// Seconds from the ears to the end of the graph: what is rendered now is heard by so much later.
    private var behindEars: Double {
        @_noLocks get { (Double(output.latencyFrames) + inserts.pointee.afterEars) / sampleRate }
    }

    /// Sets stream time to 0 with silent history, as in a graph just made;
    /// plugins begin anew where time does not press.
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

    /// Renders every state of the slice as far as it is known. In the slice of a swap the first state is of the filters
    /// that part, the others are of those that come.
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

    /// Brings samples of all sources into the current slice.
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

    /// Gives the room and what makes sources wide the samples just taken; nothing where there is neither.
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

    /// Completes the period's telemetry and shows it.
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
