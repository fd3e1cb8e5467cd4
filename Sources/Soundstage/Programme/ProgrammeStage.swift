import CRealtime
import Geometry
import Inserts
import Signal

/// One programme on the audio thread: from the channels that come in to one feed per loudspeaker of its stage, and a
/// pair that goes to the two ears as it is.
///
/// Whatever changes (level, whether the sound stands on the stage) fades. Any number of frames up to
/// `ProgrammeSlice.longest` may be processed at a time, and where a stream is cut makes no difference to a bit. Made
/// and freed by `ProgrammeRenderer`, reached by pointer.
package struct ProgrammeStage: ~Copyable {
    /// Seconds in which sound passes from the stage to the two ears as it is, or back.
    static let passage = 0.1
    /// Seconds in which a level changes.
    package static let levelling = 0.05

    /// Channels that come in.
    package let inputCount: Int
    /// Frames by which what it plays is later than what comes in.
    let latencyFrames: Int
    /// Loudspeakers of the programme's stage, in the layout's order.
    package let feedCount: Int
    /// One row per loudspeaker, before those of voices: what it plays in the frames last processed. What processes them
    /// next may have them filled elsewhere.
    package let feeds: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Voices of an Audio Mix that are played apart: a row each behind those in `feeds`. They are not in the feeds
    /// then; while there are plugins, which the feeds alone pass through, they are there, and silent here.
    /// 0 without any.
    package let voiceCount: Int
    /// Two rows for the ears, past all filters.
    package let direct: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Whether channel n that comes in is what feed n is made of, so that it may lie there already.
    package var isPlain: Bool { @_noLocks get { renditions == nil && mix == nil && !isEffect } }
    /// Whether it is fed by sends of other programmes: nothing comes in.
    package let isEffect: Bool
    /// The controls in force.
    package private(set) var controls: ProgrammeControls
    /// Whether other controls came into force with the newest slice.
    package private(set) var isChanged = false
    private let isMultichannel: Bool
    /// Gains of each channel in the fold-down to two.
    private let fold: UnsafeMutablePointer<SIMD2<Float>>
    /// Chains of plugins, and which is this programme's; nil without any.
    private let inserts: UnsafeMutablePointer<InsertStage>?
    private let place: Int
    private let mailbox: LatestValue<ProgrammeControls>
    private let states: LatestValue<ProgrammeState>
    private let rows: PlanarBlock
    /// Rows behind the feeds: the voices', and what of the feeds these are.
    private let apartCount: Int
    /// Which of two renditions fills the feeds; nil where there is one alone and no look-ahead.
    private let renditions: UnsafeMutablePointer<RenditionSwitch>?
    /// What mixes a sound field anew; nil: nothing does.
    private let mix: UnsafeMutablePointer<FieldMix>?
    private var state = ProgrammeState()
    private var dynamics: DynamicRange
    private var level: SmoothGain
    /// 1 on the stage, 0 past it.
    private var passage: SmoothGain
    /// Of what goes past it.
    private var gainPastStage: SmoothGain
    /// 1 where the voices are played apart.
    private var parting: SmoothGain

    /// A programme at rest.
    init(
        _ programme: Programme, sampleRate: SampleRate, mailbox: LatestValue<ProgrammeControls>,
        states: LatestValue<ProgrammeState>, tap: UnsafeMutablePointer<RenditionTap>?, inserts: ProgrammeInserts?
    ) throws(UpmixError) {
        self.inserts = inserts?.stage
        place = inserts?.place ?? 0
        inputCount = programme.inputCount
        isEffect = programme.isEffect
        feedCount = programme.layout.channelCount
        isMultichannel = programme.isMultichannel
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
        if programme.isWatchedOver {
            let made = try RenditionSwitch(programme, sampleRate: sampleRate, tap: tap)
            latencyFrames = made.latencyFrames
            let memory = UnsafeMutablePointer<RenditionSwitch>.allocate(capacity: 1)
            memory.initialize(to: made)
            renditions = memory
        } else {
            (renditions, latencyFrames) = (nil, mix?.pointee.latencyFrames ?? 0)
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

    /// Begins anew with silence, as if just made; what was asked for is in force at once.
    @_noLocks
    package mutating func restart() {
        controls = mailbox.load()
        begin()
    }

    /// Begins anew with controls that are in force at once, until others are asked for.
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

    /// Looks what is asked for; at the beginning of a slice. `automated`: controls that come into force with it, nil
    /// for none.
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

    /// Asks for the colour of the upmix, where there is one: for a stage whose front is seen at `azimuth`, radians; see
    /// `UpmixColour.aim`. After `beginSlice`.
    @_noLocks
    package mutating func aimColour(
        _ table: UpmixColourTable, azimuth: Double, share: Float, isNew: Bool, frames: Int, atOnce: Bool
    ) {
        renditions?.pointee.aimColour(
            table, azimuth: azimuth, share: share, isNew: isNew, frames: frames, atOnce: atOnce)
    }

    /// Whether sound passes through plugins anywhere before the ears, which all else is delayed for.
    private var hasPlugins: Bool {
        @_noLocks get {
            if let inserts { return !inserts.pointee.isClearBeforeEars }
            return false
        }
    }

    /// Whether what plays belongs on the stage.
    private var isPlaced: Bool {
        @_noLocks get { controls.mode.hasStage && controls.policy.places(isMultichannel: isMultichannel) }
    }

    /// Stereo is upmixed where it stands on the stage; past it, it stays the two channels it is.
    private var upmix: UpmixState {
        @_noLocks get {
            var upmix = controls.upmix
            upmix.isOn = upmix.isOn && isPlaced
            return upmix
        }
    }

    /// Takes the next `count` ≤ `ProgrammeSlice.longest` frames of all input channels and fills `feeds` and `direct`:
    /// `fill`, then `pass`.
    @_noLocks
    package mutating func process(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, connected: UnsafePointer<Bool>? = nil,
        followsGap: Bool = false, count: Int
    ) {
        fill(inputs, connected: connected, followsGap: followsGap, count: count)
        pass(count)
    }

    /// Takes the next `count` ≤ `ProgrammeSlice.longest` frames of all input channels and fills `feeds` with what the
    /// programme plays, wherever that is heard; `connected` says of each channel whether anything is delivered on it
    /// (nil: on all), `followsGap` that frames were lost before these.
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

    /// Makes what lies in `feeds` what the programme plays: its dynamics, level and plugins. All that `fill` does for
    /// an effect, whose feeds hold what it was sent.
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

    /// Divides what the loudspeakers would play between the stage and the two ears: `feeds` and `direct`.
    ///
    /// The two are not the same signal at the ears, so they pass into each other at equal power: sin and cos.
    @_noLocks
    package mutating func pass(_ count: Int) {
        Samples.clear(direct[0], count: count)
        Samples.clear(direct[1], count: count)
        // It is not heard to move.
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

    /// `[channel]`: what is played apart, as the feeds would have it; only where there are voices.
    private var share: UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
        @_noLocks get { feeds + feedCount + voiceCount }
    }

    /// Where a voice that is played apart is to stand `frames` after those last processed;
    /// the front where there is none.
    @_noLocks
    package func place(ofVoice index: Int, ahead frames: Int) -> SIMD3<Double> {
        if let mix { mix.pointee.place(ofObject: index, ahead: frames) } else { SIMD3(1, 0, 0) }
    }
}
