import Convolution
import Geometry
import Signal
import Soundstage

/// Way by which a programme's feeds reach the ears. In all other respects a stage treats its programmes alike.
///
/// Only the audio thread uses the value. `StageRenderer` owns the decoders.
enum ProgrammeWay: BitwiseCopyable {
    /// Each feed is a loudspeaker. The feeds are the sources from number `first` on, and the filters render them.
    case loudspeakers(first: Int)
    /// The feeds are a sound field, which a decoder renders. The voices that an Audio Mix separates from the field are
    /// the sources from number `voices` on.
    case field(UnsafeMutablePointer<AmbisonicStage>, voices: Int)

    /// Whether the feeds are loudspeakers. Each loudspeaker then has a plugin chain, and the programme has a path that
    /// bypasses the filters.
    var hasLoudspeakers: Bool { @_noLocks get { if case .loudspeakers = self { true } else { false } } }

    /// Sets the rows of loudspeakers' or voices' feeds to the sources' own memory, from frame `position` of the slice
    /// on. For a plain programme (`ProgrammeStage.isPlain`) also sets `inputs` to the feeds, so that the inputs need
    /// not be copied.
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

    /// Passes the sound field's newest `count` feeds, which begin at frame `position` of the slice, to its decoder.
    /// Does nothing for loudspeakers, whose feeds already lie in the sources' memory.
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

    /// Sets the directions of voices for the time `frames` frames after the slice's beginning. `places` has the
    /// directions of all sources.
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

    /// Sets the head's pose at the end of one of the slice's fades, counted from 1.
    @_noLocks
    func aim(fade index: Int, headToStage: Quaternion) {
        if case .field(let decoder, _) = self { decoder.pointee.aim(fade: index, headToStage: headToStage) }
    }

    /// Ends a slice that is completely rendered.
    @_noLocks
    func endSlice() {
        if case .field(let decoder, _) = self { decoder.pointee.endSlice() }
    }
}
