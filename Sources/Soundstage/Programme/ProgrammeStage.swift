import CRealtime
import Geometry
import Inserts
import Signal

/// One programme on the audio thread. From the input channels it makes one feed per loudspeaker of its stage, and a
/// pair for the two ears that bypasses the stage.
///
/// Changes of level, and changes between the stage and the bypass, are faded. Each call processes up to
/// `ProgrammeSlice.longest` frames. The output is bit-identical, however a stream is divided into calls.
/// `ProgrammeRenderer` makes and frees the stage; the audio thread uses it by pointer.
package struct ProgrammeStage: ~Copyable {
    /// Duration of the crossfade between the stage and the bypass to the two ears, seconds.
    static let passage = 0.1
    /// Duration of a change of level, seconds.
    package static let levelling = 0.05

    /// Number of input channels.
    package let inputCount: Int
    /// Latency from input to feeds, frames.
    let latencyFrames: Int
    /// Number of loudspeakers of the programme's stage, or of channels of a sound field. Feeds are in the layout's
    /// order.
    package let feedCount: Int
    /// Feeds of the frames that were processed last: one row per loudspeaker or channel of a sound field, then the
    /// voices' rows, then the voices' share of each feed. Input may be written directly into the first rows if
    /// `isPlain` is true.
    package let feeds: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Number of voices that an Audio Mix separates from a sound field, and that are rendered separately. Each has one
    /// row in `feeds`, after the loudspeakers' rows; the feeds then do not contain these voices. With plugins before
    /// the ears the feeds contain the voices and the voices' rows are silent, because the plugins process only the
    /// feeds. It is 0 without a mix.
    package let voiceCount: Int
    /// Two rows for the ears. They bypass the loudspeakers' filters and the room, but not the headphone equalisation.
    package let direct: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Whether feed n starts as a copy of input channel n, to which dynamics, level and plugins are then applied in
    /// place. The input may then already lie in the feed's row.
    package var isPlain: Bool { @_noLocks get { renditions == nil && mix == nil && !isEffect } }
    /// Whether the programme is an effect. Its input consists of sends of other programmes.
    package let isEffect: Bool
    /// The controls in force.
    package private(set) var controls: ProgrammeControls
    /// Whether other controls came into force with the newest slice.
    package private(set) var isChanged = false
    private let isPlacedAsMultichannel: Bool
    /// Linear gains of each channel in the stereo fold-down, left and right.
    private let fold: UnsafeMutablePointer<SIMD2<Float>>
    /// Plugin chains of the stage; nil without plugins.
    private let inserts: UnsafeMutablePointer<InsertStage>?
    /// Index of this programme's chain in `inserts`; 0 without plugins.
    private let place: Int
    private let mailbox: LatestValue<ProgrammeControls>
    private let states: LatestValue<ProgrammeState>
    private let rows: PlanarBlock
    /// Number of rows after the feeds: the voices' rows, then the voices' share of each feed.
    private let apartCount: Int
    /// Switch between the renditions, which fills the feeds. Nil for a multichannel rendition alone without reserved
    /// latency.
    private let renditions: UnsafeMutablePointer<RenditionSwitch>?
    /// Audio Mix of a sound field; nil without an Audio Mix.
    private let mix: UnsafeMutablePointer<FieldMix>?
    private var state = ProgrammeState()
    private var dynamics: DynamicRange
    private var level: SmoothGain
    /// Share of the stage: 1 is on the stage, 0 is the bypass.
    private var passage: SmoothGain
    /// Linear gain of the bypass.
    private var gainPastStage: SmoothGain
    /// Gain of the separate voices: 1, or 0 with plugins before the ears.
    private var parting: SmoothGain

    /// Makes a programme at rest.
    init(
        _ programme: Programme, sampleRate: SampleRate, mailbox: LatestValue<ProgrammeControls>,
        states: LatestValue<ProgrammeState>, renditions: UnsafeMutablePointer<RenditionSwitch>?,
        inserts: ProgrammeInserts?
    ) {
        self.inserts = inserts?.stage
        place = inserts?.place ?? 0
        inputCount = programme.inputCount
        isEffect = programme.isEffect
        feedCount = programme.layout.channelCount
        isPlacedAsMultichannel = programme.isPlacedAsMultichannel
        self.mailbox = mailbox
        self.states = states
        controls = mailbox.load()
        if let latency = programme.mix, let format = programme.layout.ambisonics {
            let memory = UnsafeMutablePointer<FieldMix>.allocate(capacity: 1)
            memory.initialize(
                to: FieldMix(
                    format, latency, sampleRate: sampleRate, controls: mailbox.load().mix, camera: programme.camera,
                    voices: .apart))
            (mix, voiceCount) = (memory, FieldMix.objectCount)
        } else {
            (mix, voiceCount) = (nil, 0)
        }
        apartCount = voiceCount == 0 ? 0 : voiceCount + feedCount
        let count = feedCount + apartCount
        rows = PlanarBlock(channels: count + 2, frames: ProgrammeSlice.longest)
        feeds = .allocate(capacity: max(1, count))
        feeds.initialize(from: rows.pointers, count: count)
        self.renditions = renditions
        // Not as `renditions?… ?? mix?…`: if an autoclosure reads a field in an initialiser of a noncopyable type,
        // Swift 6.3 destroys later fields that are not initialised yet.
        if let renditions {
            latencyFrames = renditions.pointee.latencyFrames
        } else {
            latencyFrames = mix?.pointee.latencyFrames ?? 0
        }
        direct = rows.pointers + count
        fold = .allocate(capacity: max(1, feedCount))
        for (channel, gains) in programme.layout.stereoFoldDown.enumerated() {
            (fold + channel).initialize(to: SIMD2(gains.left, gains.right))
        }
        dynamics = DynamicRange(
            sampleRate: sampleRate,
            channelWeights: programme.layout.loudnessWeights + [Float](repeating: 0, count: apartCount),
            maximumFrames: ProgrammeSlice.longest)
        level = SmoothGain(controls.gain, seconds: Self.levelling, sampleRate: sampleRate.hertz)
        passage = SmoothGain(1, seconds: Self.passage, sampleRate: sampleRate.hertz)
        gainPastStage = SmoothGain(1, seconds: Self.levelling, sampleRate: sampleRate.hertz)
        parting = SmoothGain(1, seconds: Self.levelling, sampleRate: sampleRate.hertz)
        restart()
    }

    deinit {
        feeds.deallocate()
        fold.deallocate()
        renditions?.deinitialize(count: 1)
        renditions?.deallocate()
        mix?.deinitialize(count: 1)
        mix?.deallocate()
    }

    /// Returns the switch between the renditions, in memory of its own; nil unless `Programme.isWatchedOver`.
    static func renditions(
        of programme: Programme, sampleRate: SampleRate, tap: UnsafeMutablePointer<RenditionTap>?
    ) throws(UpmixError) -> UnsafeMutablePointer<RenditionSwitch>? {
        guard programme.isWatchedOver else { return nil }
        let made = try RenditionSwitch(programme, sampleRate: sampleRate, tap: tap)
        let memory = UnsafeMutablePointer<RenditionSwitch>.allocate(capacity: 1)
        memory.initialize(to: made)
        return memory
    }

    /// Restarts with silence, as if just made. The requested controls come into force immediately.
    @_noLocks
    package mutating func restart() {
        controls = mailbox.load()
        begin()
    }

    /// Restarts with `controls` in force immediately, until others are requested.
    @_noLocks
    package mutating func restart(with controls: ProgrammeControls) {
        let requested = mailbox.load()
        self.controls = controls
        self.controls.serial = requested.serial
        self.controls.renditions.match = requested.renditions.match
        begin()
    }

    @_noLocks
    private mutating func begin() {
        renditions?.pointee.restart(upmix)
        mix?.pointee.restart(controls.mix)
        dynamics.restart()
        level.jump(to: controls.gain)
        passage.jump(to: isPlaced ? 1 : 0)
        gainPastStage.jump(to: controls.gainPastStage)
        parting.jump(to: hasPlugins ? 0 : 1)
    }

    /// Applies the requested controls. Call at the beginning of a slice. `automated` has recorded controls that come
    /// into force with this slice; nil if there are none.
    @_noLocks
    package mutating func beginSlice(automated: UnsafePointer<ProgrammeControls>? = nil) {
        let requested = mailbox.load()
        isChanged = requested.serial != controls.serial
        if isChanged { controls = requested } else { controls.renditions.match = requested.renditions.match }
        if let automated {
            controls = automated.pointee
            controls.serial = requested.serial
            controls.renditions.match = requested.renditions.match
            isChanged = true
        }
        level.aim(at: controls.gain)
        passage.aim(at: isPlaced ? 1 : 0)
        gainPastStage.aim(at: controls.gainPastStage)
        parting.aim(at: hasPlugins ? 0 : 1)
        state.isSpatializing = isPlaced
        if let renditions { state.renditions = renditions.pointee.report }
        state.dynamicsGain = dynamics.gain
        if let mix { state.talkers = mix.pointee.talkers }
        states.store(state)
    }

    /// Sets the filters that give the upmix its colour, if there is an upmix. `azimuth` is the direction of the stage's
    /// front relative to the head, radians; see `UpmixColour.aim`. Call after `beginSlice`.
    @_noLocks
    package mutating func aimColour(
        _ table: UpmixColourTable, azimuth: Double, share: Float, isNew: Bool, frames: Int, atOnce: Bool
    ) {
        renditions?.pointee.aimColour(
            table, azimuth: azimuth, share: share, isNew: isNew, frames: frames, atOnce: atOnce)
    }

    /// Whether any path to the ears has plugins. Sound without plugins is then delayed by the plugins' latency.
    private var hasPlugins: Bool {
        @_noLocks get {
            if let inserts { return !inserts.pointee.isClearBeforeEars }
            return false
        }
    }

    /// Whether the programme is placed on the stage.
    private var isPlaced: Bool {
        @_noLocks get { controls.mode.hasStage && controls.policy.places(isMultichannel: isPlacedAsMultichannel) }
    }

    /// The upmix in force. It is off for sound that bypasses the stage, where stereo stays two channels.
    private var upmix: UpmixState {
        @_noLocks get {
            var upmix = controls.upmix
            upmix.isOn = upmix.isOn && isPlaced
            return upmix
        }
    }

    /// Processes the next `count` ≤ `ProgrammeSlice.longest` frames of all input channels, and fills `feeds` and
    /// `direct`. It calls `fill`, then `pass`.
    @_noLocks
    package mutating func process(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, connected: UnsafePointer<Bool>? = nil,
        followsGap: Bool = false, count: Int
    ) {
        fill(inputs, connected: connected, followsGap: followsGap, count: count)
        pass(count)
    }

    /// Processes the next `count` ≤ `ProgrammeSlice.longest` frames of all input channels, and fills `feeds`, whether
    /// the programme is on the stage or bypasses it. `connected[channel]` is true if the channel is delivered; if
    /// `connected` is nil, all are. `followsGap` is true if frames were lost before these.
    @_noLocks
    package mutating func fill(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, connected: UnsafePointer<Bool>?, followsGap: Bool, count: Int
    ) {
        if let renditions {
            renditions.pointee.process(
                inputs, connected: connected, followsGap: followsGap, frames: count, controls: controls.renditions,
                upmix: upmix,
                feeds: feeds)
        } else if let mix {
            mix.pointee.process(
                inputs, frames: count, controls: controls.mix, feeds: UnsafePointer(feeds),
                share: UnsafePointer(feeds + feedCount + voiceCount), objects: UnsafePointer(feeds + feedCount))
        } else {
            for channel in 0..<feedCount where inputs[channel] != UnsafePointer(feeds[channel]) {
                Samples.copy(inputs[channel], to: feeds[channel], count: count)
            }
        }
        shape(count)
    }

    /// Applies the programme's dynamics, level and plugins to `feeds`. For an effect, call this instead of `fill`: its
    /// feeds already contain the sound that was sent to it.
    @_noLocks
    package mutating func shape(_ count: Int) {
        dynamics.process(rows: feeds, frames: count, controls: controls.dynamics)
        for channel in 0..<(feedCount + apartCount) { level.apply(to: feeds[channel], count: count) }
        level.advance(count)
        if apartCount > 0 {
            for channel in feedCount..<(feedCount + apartCount) { parting.apply(to: feeds[channel], count: count) }
            parting.advance(count)
            for channel in 0..<feedCount {
                Samples.add(share[channel], gain: -1, to: feeds[channel], count: count)
            }
        }
        inserts?.pointee.process(place: place, feeds, count: count)
    }

    /// Crossfades the feeds between the stage (`feeds`) and the two ears (`direct`).
    ///
    /// The two signals differ at the ears, so the crossfade has equal power (sine and cosine).
    @_noLocks
    package mutating func pass(_ count: Int) {
        Samples.clear(direct[0], count: count)
        Samples.clear(direct[1], count: count)
        // The bypass is not heard, so its gain may jump.
        if passage.rests && passage.value() == 1 {
            return gainPastStage.jump(to: controls.gainPastStage)
        }
        for channel in 0..<feedCount {
            let gains = fold[channel]
            if gains.x != 0 { Samples.add(feeds[channel], gain: gains.x, to: direct[0], count: count) }
            if gains.y != 0 { Samples.add(feeds[channel], gain: gains.y, to: direct[1], count: count) }
            guard voiceCount > 0 else { continue }
            if gains.x != 0 { Samples.add(share[channel], gain: gains.x, to: direct[0], count: count) }
            if gains.y != 0 { Samples.add(share[channel], gain: gains.y, to: direct[1], count: count) }
        }
        gainPastStage.apply(to: direct[0], count: count)
        gainPastStage.apply(to: direct[1], count: count)
        gainPastStage.advance(count)
        if passage.rests {
            for channel in 0..<(feedCount + apartCount) { Samples.clear(feeds[channel], count: count) }
            return
        }
        for i in 0..<count {
            let angle = Double(passage.value(ahead: i)) * (Double.pi / 2)
            let (on, past) = (Float(prc_sin(angle)), Float(prc_cos(angle)))
            for channel in 0..<(feedCount + apartCount) { feeds[channel][i] *= on }
            direct[0][i] *= past
            direct[1][i] *= past
        }
        passage.advance(count)
    }

    /// `[channel]`: the voices' share of each feed, for voices that are rendered separately. Valid only with voices.
    private var share: UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
        @_noLocks get { feeds + feedCount + voiceCount }
    }

    /// Returns the direction of a separate voice `frames` frames after the last processed frame, as a unit vector.
    /// Without an Audio Mix it is the front.
    @_noLocks
    package func place(ofVoice index: Int, ahead frames: Int) -> SIMD3<Double> {
        if let mix { mix.pointee.place(ofObject: index, ahead: frames) } else { SIMD3(1, 0, 0) }
    }
}
