import Convolution
import Signal

/// Part of the monitor section before the filters: fold-down, the gain of every virtual loudspeaker, and test noise.
///
/// Its input is the sound after the loudspeakers' plugins, and its output feeds filters and room, so that a muted
/// loudspeaker is absent from the room too. Neutral settings cost nothing. Only the audio thread uses the section.
struct MonitorStage: ~Copyable {
    private let mailbox: LatestValue<MonitorControls>
    private let gains: UnsafeMutablePointer<SmoothGain>
    private let count: Int
    /// Switches of the loudspeakers that apply in this slice.
    private(set) var switches = LoudspeakerSwitches()
    /// Switches of the replayed record, and those of the settings when the replay began. The record applies while
    /// `isReplaying`, until the settings change.
    private var replayed = LoudspeakerSwitches(), settings = LoudspeakerSwitches()
    private var isReplaying = false
    /// Switches that were recorded last.
    private var recorded = LoudspeakerSwitches()
    /// Whether every gain rests at 1.
    private var isIdle = true
    private var fold: FoldStage
    private var noise: NoiseStage
    /// Output part of the section, on both ears.
    private var output: MonitorOutput

    /// Makes a section at rest for the sources of a stage.
    init(_ monitor: MonitorRenderer, _ configuration: StageConfiguration) {
        let sampleRate = configuration.sampleRate.hertz
        mailbox = monitor.mailbox
        count = configuration.sources.count
        gains = .allocate(capacity: max(1, count))
        gains.initialize(repeating: SmoothGain(1, sampleRate: sampleRate), count: max(1, count))
        fold = FoldStage(
            configuration.sources, beside: configuration.voices.count, slice: configuration.slice,
            sampleRate: sampleRate)
        noise = NoiseStage(sampleRate: sampleRate)
        output = MonitorOutput(isGuarded: configuration.outputGuard != .off, sampleRate: sampleRate)
    }

    deinit { gains.deallocate() }

    /// Reads the settings at the beginning of a slice. With `atOnce` (a stream begins) nothing is faded.
    @_noLocks
    mutating func beginSlice(atOnce: Bool) {
        let wanted = mailbox.load()
        fold.aim(wanted.fold, atOnce: atOnce)
        noise.aim(wanted.noiseSource, address: wanted.noise, count: wanted.noiseFrames)
        let asked = LoudspeakerSwitches(wanted.loudspeakers, count: count)
        if isReplaying && !asked.isSame(as: settings) { isReplaying = false }
        switches = isReplaying ? replayed : asked
        isIdle = true
        for source in 0..<count {
            let gain = isReplaying ? replayed.gain(of: source) : wanted.loudspeakers[source]
            if atOnce { gains[source].jump(to: gain) } else { gains[source].aim(at: gain) }
            if !gains[source].rests(at: 1) { isIdle = false }
        }
    }

    /// Switches the loudspeakers as in a record, until the settings change or another record is replayed. Call before
    /// `beginSlice`.
    @_noLocks
    mutating func replay(_ record: LoudspeakerSwitches) {
        settings = LoudspeakerSwitches(mailbox.load().loudspeakers, count: count)
        (replayed, isReplaying) = (record, true)
    }

    /// Ends the replay. Only the settings apply then.
    @_noLocks
    mutating func endReplay() { isReplaying = false }

    /// Returns whether the slice's switches are still to be recorded, and counts them as recorded. If a stream begins
    /// (`anew`), neutral switches are not recorded.
    @_noLocks
    mutating func isUnrecorded(anew: Bool) -> Bool {
        let before = anew ? LoudspeakerSwitches() : recorded
        recorded = switches
        return !switches.isSame(as: before)
    }

    /// `[source]`: direction on its programme's stage, a unit vector. The voices follow the sources; the section leaves
    /// them unchanged.
    var places: UnsafeMutablePointer<SIMD3<Double>> { @_noLocks get { fold.places } }

    /// Moves the sources' directions by the step of one fade, which lasts `frames` frames.
    @_noLocks
    mutating func walk(frames: Int) { fold.walk(frames: frames) }

    /// Processes the slice's newest `count` frames of all sources, from frame `position` on. Cost: none with neutral
    /// settings.
    @_noLocks
    mutating func apply(to history: borrowing SourceHistory, at position: Int, count frames: Int) {
        fold.apply(to: history, at: position, count: frames)
        if !isIdle { applyGains(to: history, at: position, count: frames) }
        noise.add(to: history, at: position, count: frames)
    }

    @_noLocks
    private func applyGains(to history: borrowing SourceHistory, at position: Int, count frames: Int) {
        for source in 0..<count where !gains[source].rests(at: 1) {
            gains[source].apply(to: history.samples(ofSource: source) + position, count: frames)
            gains[source].advance(frames)
        }
    }

    /// Applies the output part to both ears; see `MonitorOutput`.
    @_noLocks
    mutating func finish(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count frames: Int, feed: MonitorFeed,
        isOpen: Bool
    ) {
        output.process(left, right, count: frames, wanted: mailbox.load(), feed: feed, isOpen: isOpen)
    }
}
