import Signal

/// Crossfades a programme between its multichannel and its stereo rendition without an audible seam. A change from one
/// to the other is a hand-over.
///
/// Both renditions pass through delay lines (`RenditionLine`), which continue a sound that breaks off and fade it. With
/// the choice `auto` the multichannel rendition plays until one of its channels breaks off. If the stereo rendition is
/// then delivered, the switch changes to stereo immediately. It changes back after two seconds without a break in the
/// multichannel rendition, or when the stereo rendition breaks off. Silence causes no change; only disconnected ports
/// or a command do.
///
/// The rendition that is heard keeps its delay. The delay of the other one follows the measured lag (`RenditionMatch`),
/// so that both are aligned in time. The output is bit-identical, however a stream is divided into calls. The audio
/// thread uses the switch by pointer.
struct RenditionSwitch: ~Copyable {
    /// Duration of a crossfade, seconds: 15 ms, so that it ends within 20 ms of a loss that is noticed after a period
    /// of 5 ms.
    static let passage = 0.015
    /// Time without a break after which the multichannel rendition may play again, seconds.
    static let trust = 2.0

    /// Latency from input to output, frames. If the multichannel rendition returns with another lag, its delay is no
    /// longer this value.
    let latencyFrames: Int
    /// Part of `latencyFrames` that the upmix and its colour filters need.
    private let upmixLatency: Int
    private let feedCount: Int
    /// Number of channels of the multichannel rendition; 0 without a multichannel rendition.
    private let multichannelCount: Int
    /// Number of channels of the stereo rendition: 1 if the programme is mono, 0 without a stereo rendition.
    private let stereoCount: Int
    /// Look-ahead for inputs that break off, frames.
    private let hold: Int
    /// Longest delay of a rendition, frames.
    private let longest: Int
    /// Duration `trust` in frames.
    private let trustedFrames: Int
    private var multichannel: RenditionLine
    private var stereo: RenditionLine
    private let prediction: LinearPrediction
    private var spread: StereoSpread
    private var colour: UpmixColour
    /// Two rows of the stereo rendition, then the feeds that are made from them.
    private let rows: PlanarBlock
    private var fade: RenditionFade
    private var gain: RenditionGain
    private var filter: RenditionFilter
    private var state = RenditionState()
    /// Whether the stereo rendition was chosen last.
    private var wantsStereo = false
    private var isFresh = true
    private let tap: UnsafeMutablePointer<RenditionTap>?

    /// Makes a switch at rest. `tap` passes the input to the thread that compares the renditions.
    init(
        _ programme: Programme, sampleRate: SampleRate, tap: UnsafeMutablePointer<RenditionTap>?
    ) throws(UpmixError) {
        let rate = sampleRate.hertz
        feedCount = programme.layout.channelCount
        multichannelCount = programme.multichannelChannels
        stereoCount = programme.stereoChannels
        hold = RenditionSwitch.holdFrames(programme, sampleRate)
        spread = try StereoSpread(programme, sampleRate: sampleRate)
        colour = UpmixColour(programme, sampleRate: sampleRate)
        upmixLatency = spread.latencyFrames + colour.latencyFrames
        latencyFrames = RenditionSwitch.latencyFrames(programme, sampleRate) + upmixLatency
        longest = latencyFrames + Int(HandOver.reach * rate)
        trustedFrames = Int(Self.trust * rate)
        let rise = max(1, Int(Self.passage * rate))
        multichannel = RenditionLine(count: multichannelCount, longest: longest, hold: hold, rise: rise)
        stereo = RenditionLine(count: stereoCount, longest: longest, hold: hold, rise: rise)
        prediction = LinearPrediction()
        rows = PlanarBlock(channels: 2 + feedCount, frames: ProgrammeSlice.longest)
        filter = RenditionFilter(feedCount: feedCount, sampleRate: rate)
        fade = RenditionFade(length: rise)
        gain = RenditionGain(sampleRate: rate)
        self.tap = tap
        restart(UpmixState())
    }

    private static func holdFrames(_ programme: Programme, _ rate: SampleRate) -> Int {
        Int((programme.handOver.hold * rate.hertz).rounded(.up))
    }

    /// Returns the latency for look-ahead and alignment, frames.
    private static func latencyFrames(_ programme: Programme, _ rate: SampleRate) -> Int {
        let alignment = Int((programme.handOver.alignment * rate.hertz).rounded(.up))
        return holdFrames(programme, rate) + alignment
    }

    /// Restarts with silence, as if just made.
    @_noLocks
    mutating func restart(_ upmix: UpmixState) {
        multichannel.restart()
        stereo.restart()
        spread.restart(upmix)
        colour.restart()
        state = RenditionState()
        state.multichannelDelay = latencyFrames
        state.stereoDelay = latencyFrames
        wantsStereo = false
        fade.jump(stereo: false)
        isFresh = true
    }

    /// State of the renditions after the last frames.
    var report: RenditionState { @_noLocks get { state } }

    /// Sets the upmix's colour; see `UpmixColour.aim`.
    @_noLocks
    mutating func aimColour(
        _ table: UpmixColourTable, azimuth: Double, share: Float, isNew: Bool, frames: Int, atOnce: Bool
    ) {
        colour.aim(table, azimuth: azimuth, share: share, isNew: isNew, frames: frames, atOnce: atOnce)
    }

    /// Processes `frames` ≤ `ProgrammeSlice.longest` frames of all channels, and fills the feeds. The channels of the
    /// multichannel rendition are first.
    @_noLocks
    mutating func process(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, connected: UnsafePointer<Bool>?, followsGap: Bool,
        frames: Int, controls: RenditionControls, upmix: UpmixState,
        feeds: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        multichannel.take(
            inputs, connected: connected, followsGap: followsGap, frames: frames, prediction: prediction)
        let others: UnsafePointer<Bool>? = if let connected { connected + multichannelCount } else { nil }
        stereo.take(
            inputs + multichannelCount, connected: others, followsGap: followsGap, frames: frames,
            prediction: prediction)
        choose(controls)
        align(controls.match)
        play(inputs, frames, feeds, upmix)
        state.hasMultichannel = multichannel.isPresent
        state.hasStereo = stereo.isPresent
        state.breaks = multichannel.breaks + stereo.breaks
        state.stereoGain = gain.value
        isFresh = false
    }

    /// Chooses the rendition to play.
    @_noLocks
    private mutating func choose(_ controls: RenditionControls) {
        var wanted = wantsStereo
        switch controls.choice {
        case .multichannel: wanted = multichannelCount == 0
        case .stereo: wanted = stereoCount > 0
        case .auto:
            let stereoStands = stereo.isPresent && !stereo.isBroken
            let othersStand = multichannel.isPresent && !multichannel.isBroken
            if multichannelCount == 0 {
                wanted = true
            } else if !wantsStereo {
                wanted = !othersStand && stereoStands
            } else if othersStand {
                wanted = stereoStands && multichannel.cleanFrames < trustedFrames
            }
        }
        if isFresh { fade.jump(stereo: wanted) }
        if wanted != wantsStereo && !isFresh {
            fade.aim(stereo: wanted, correlation: controls.match.correlation)
            gain.hurry()
            filter.hurry()
            state.handOvers += 1
        }
        wantsStereo = wanted
        state.playing = wanted ? .stereo : .multichannel
    }

    /// Sets the delay of the rendition that is not heard, and the stereo rendition's gain and colour, from the measured
    /// match.
    @_noLocks
    private mutating func align(_ match: RenditionMatch) {
        guard stereoCount > 0 && multichannelCount > 0 else { return }
        gain.aim(now: match.momentaryGain, usual: match.stereoGain)
        filter.aim(match.colour)
        guard fade.rests else { return }
        let hearsStereo = fade.position == 1
        if !hearsStereo {
            gain.jump()
            filter.jump()
        }
        guard match.hasLag else { return }
        let least = hold + upmixLatency
        if hearsStereo {
            let delay = state.stereoDelay + match.lag
            if delay >= least && delay <= longest { state.multichannelDelay = delay }
        } else {
            let delay = state.multichannelDelay - match.lag
            if delay >= least && delay <= longest { state.stereoDelay = delay }
        }
    }

    /// Fills the feeds with the rendition in force, or with both during a crossfade.
    @_noLocks
    private mutating func play(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, _ frames: Int,
        _ feeds: UnsafePointer<UnsafeMutablePointer<Float>>, _ upmix: UpmixState
    ) {
        let spreadFeeds = rows.pointers + 2
        if stereoCount > 0 {
            for row in 0..<stereoCount {
                stereo.read(row, delay: state.stereoDelay - upmixLatency, frames: frames, to: rows[row])
            }
            spread.process(
                rows.pointers, feeds: spreadFeeds, feedCount: feedCount, frames: frames, upmix: upmix)
        }
        if let tap {
            tap.pointee.push(
                inputs, frames: frames, hasMultichannel: multichannel.isPresent, hasStereo: stereo.isPresent)
        }
        colour.process(spreadFeeds, frames: frames, isHeard: !(fade.rests && fade.position == 0))
        if fade.rests && fade.position == 1 {
            for feed in 0..<feedCount { Samples.copy(spreadFeeds[feed], to: feeds[feed], count: frames) }
            match(feeds, frames)
            return
        }
        for feed in 0..<feedCount {
            multichannel.read(feed, delay: state.multichannelDelay, frames: frames, to: feeds[feed])
        }
        if fade.rests { return }
        match(spreadFeeds, frames)
        for i in 0..<frames {
            let (old, new) = fade.gains(ahead: i)
            for feed in 0..<feedCount { feeds[feed][i] = old * feeds[feed][i] + new * spreadFeeds[feed][i] }
        }
        fade.advance(frames)
    }

    /// Gives the stereo rendition's feeds the colour and loudness of the multichannel rendition.
    @_noLocks
    private mutating func match(_ feeds: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        guard multichannelCount > 0 else { return }
        filter.apply(to: feeds, count: feedCount, frames: frames)
        gain.apply(to: feeds, count: feedCount, frames: frames)
    }
}
