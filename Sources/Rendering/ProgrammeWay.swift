import Convolution
import Geometry
import Signal
import Soundstage

/// The way of a programme from its ports to the ears: where its feeds go. In this alone programmes differ on a stage.
///
/// Used by the audio thread alone; what it points to belongs to `StageRenderer`.
enum ProgrammeWay: BitwiseCopyable {
    /// Each feed is a loudspeaker: the source of this number, and of those after it, which the filters hear.
    case loudspeakers(first: Int)
    /// The feeds are a sound field, which its decoder hears; voices that an Audio Mix plays apart are the source of
    /// this number, and those after it.
    case field(UnsafeMutablePointer<AmbisonicStage>, voices: Int)

    /// Whether its feeds are loudspeakers, which have chains of plugins each, and a way past the filters beside them.
    var hasLoudspeakers: Bool { @_noLocks get { if case .loudspeakers = self { true } else { false } } }

    /// Has a programme fill the sources' own memory in the slice's frames from `position` on, and what comes in
    /// (`inputs`) lie where its feeds are: no sample is copied on its way from the port to the transform.
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

    /// Passes what a programme plays in the slice's frames from `position` on to what hears it; sources have it
    /// already.
    @_noLocks
    func give(_ stage: UnsafeMutablePointer<ProgrammeStage>, at position: Int, count: Int) {
        guard case .field(let decoder, _) = self else { return }
        decoder.pointee.take(stage.pointee.feeds, to: position, count: count)
    }

    /// Adds what sounds beside the sources to the ears; see `AmbisonicStage.add`.
    @_noLocks
    func hear(
        from position: Int, count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        guard case .field(let decoder, _) = self else { return }
        decoder.pointee.add(from: position, count: count, left: left, right: right)
    }

    /// Has voices stand where they are heard so many frames after the slice's beginning. `places`: of all sources.
    @_noLocks
    func placeVoices(
        of stage: UnsafeMutablePointer<ProgrammeStage>, _ places: UnsafeMutablePointer<SIMD3<Double>>, ahead frames: Int
    ) {
        guard case .field(_, let voices) = self else { return }
        for voice in 0..<stage.pointee.voiceCount {
            places[voices + voice] = stage.pointee.place(ofVoice: voice, ahead: frames)
        }
    }

    /// Begins anew with silence.
    @_noLocks
    func restart() {
        if case .field(let decoder, _) = self { decoder.pointee.restart() }
    }

    /// Begins a slice with the head at a pose; see `AmbisonicStage.beginSlice`.
    @_noLocks
    func begin(headToStage: Quaternion, anew: Bool) {
        if case .field(let decoder, _) = self { decoder.pointee.beginSlice(headToStage: headToStage, anew: anew) }
    }

    /// Says where the head is to be at the end of one of the slice's fades, 1 and on.
    @_noLocks
    func aim(fade index: Int, headToStage: Quaternion) {
        if case .field(let decoder, _) = self { decoder.pointee.aim(fade: index, headToStage: headToStage) }
    }

    /// Leaves a slice that is complete.
    @_noLocks
    func endSlice() {
        if case .field(let decoder, _) = self { decoder.pointee.endSlice() }
    }
}
