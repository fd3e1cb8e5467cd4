import Convolution
import Geometry
import Signal
import Soundstage

/// Way of a programme's feeds to the ears. Programmes on a stage differ in this alone.
///
/// Used by the audio thread alone; `StageRenderer` owns the stages.
enum ProgrammeWay: BitwiseCopyable {
    /// Each feed is a loudspeaker: the sources from this number on, which the filters render.
    case loudspeakers(first: Int)
    /// The feeds are a sound field for its decoder; the voices that an Audio Mix plays apart are the sources from
    /// `voices` on.
    case field(UnsafeMutablePointer<AmbisonicStage>, voices: Int)

    /// Whether its feeds are loudspeakers, each with a plugin chain, and with a path past the filters beside them.
    var hasLoudspeakers: Bool { @_noLocks get { if case .loudspeakers = self { true } else { false } } }

    /// Sets a programme's feeds to the sources' own memory in the slice's frames from `position` on, and a plain
    /// programme's `inputs` to its feeds: no sample is copied between the port and the transform.
    @_noLocks
    func lay(
        _ stage: UnsafeMutablePointer<ProgrammeStage>, inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        into history: borrowing SourceHistory, at position: Int
    ) {
        let feeds = stage.pointee.feeds
        let feedCount = stage.pointee.feedCount
        switch self {
        case .loudspeakers(let first):
            for feed in 0..<feedCount { feeds[feed] = history.samples(ofSource: first + feed) + position }
        case .field(_, let voices):
            for voice in 0..<stage.pointee.voiceCount {
                feeds[feedCount + voice] = history.samples(ofSource: voices + voice) + position
            }
        }
        guard stage.pointee.isPlain else { return }
        for feed in 0..<feedCount { inputs[feed] = feeds[feed] }
    }

    /// Passes a programme's feeds in the slice's frames from `position` on to the decoder; loudspeakers' sources have
    /// them already.
    @_noLocks
    func give(_ stage: UnsafeMutablePointer<ProgrammeStage>, at position: Int, count: Int) {
        guard case .field(let decoder, _) = self else { return }
        decoder.pointee.take(stage.pointee.feeds, to: position, count: count)
    }

    /// Adds the sound field to the ears; see `AmbisonicStage.add`.
    @_noLocks
    func hear(
        from position: Int, count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        guard case .field(let decoder, _) = self else { return }
        decoder.pointee.add(from: position, count: count, left: left, right: right)
    }

    /// Places voices in their directions `frames` frames after the slice's beginning. `places`: of all sources.
    @_noLocks
    func placeVoices(
        of stage: UnsafeMutablePointer<ProgrammeStage>, _ places: UnsafeMutablePointer<SIMD3<Double>>, ahead frames: Int
    ) {
        guard case .field(_, let voices) = self else { return }
        for voice in 0..<stage.pointee.voiceCount {
            places[voices + voice] = stage.pointee.place(ofVoice: voice, ahead: frames)
        }
    }

    /// Resets to silence.
    @_noLocks
    func restart() {
        if case .field(let decoder, _) = self { decoder.pointee.restart() }
    }

    /// Begins a slice with the head at a pose; see `AmbisonicStage.beginSlice`.
    @_noLocks
    func begin(headToStage: Quaternion, anew: Bool) {
        if case .field(let decoder, _) = self { decoder.pointee.beginSlice(headToStage: headToStage, anew: anew) }
    }

    /// Sets the head's pose at the end of one of the slice's fades, 1 and on.
    @_noLocks
    func aim(fade index: Int, headToStage: Quaternion) {
        if case .field(let decoder, _) = self { decoder.pointee.aim(fade: index, headToStage: headToStage) }
    }

    /// Ends a complete slice.
    @_noLocks
    func endSlice() {
        if case .field(let decoder, _) = self { decoder.pointee.endSlice() }
    }
}
