import Geometry
import Signal

/// Makes a stage's feeds (one for each loudspeaker) from stereo: by an upmix, or directly on the loudspeakers nearest
/// to ±30°. The crossfade between both ways takes 100 ms. Both have the same latency.
///
/// The spread also runs while it is not heard, so that the state is ready at a hand-over (a change to stereo).
package struct StereoSpread: ~Copyable {
    /// Duration of the crossfade to and from the upmix, seconds.
    private static let passage = 0.1

    /// Latency from input to feeds, frames.
    package let latencyFrames: Int
    private let left: Int
    private let right: Int
    private let upmixer: UnsafeMutablePointer<StereoUpmixer>?
    private let mono: UnsafeMutablePointer<MonoSpread>?
    private let isMono: Bool
    /// Delay lines of the pair, for its path that bypasses the upmixer.
    private let lines: PlanarBlock
    private let mask: Int
    private var head = 0
    /// Share of the upmix: 1 is the upmix, 0 is the pair.
    private var share: SmoothGain

    /// Makes a spread for a programme. Its layout must have at least two loudspeakers.
    package init(_ programme: Programme, sampleRate: SampleRate) throws(UpmixError) {
        (left, right) = programme.layout.stereoPair
        isMono = programme.stereoChannels == 1
        share = SmoothGain(1, seconds: Self.passage, sampleRate: sampleRate.hertz)
        guard let plan = programme.upmix else {
            (upmixer, mono, latencyFrames, mask) = (nil, nil, 0, 0)
            lines = PlanarBlock(channels: 0, frames: 0)
            return
        }
        let made = try StereoUpmixer(
            sampleRate: sampleRate, layout: programme.layout, mode: plan.mode, latency: plan.latency)
        latencyFrames = made.latency
        let memory = UnsafeMutablePointer<StereoUpmixer>.allocate(capacity: 1)
        memory.initialize(to: made)
        upmixer = memory
        if isMono && plan.mono == .wide {
            let spread = UnsafeMutablePointer<MonoSpread>.allocate(capacity: 1)
            spread.initialize(to: MonoSpread(sampleRate: sampleRate))
            mono = spread
        } else {
            mono = nil
        }
        let capacity = 1 << (Int.bitWidth - (latencyFrames + ProgrammeSlice.longest).leadingZeroBitCount)
        lines = PlanarBlock(channels: 2, frames: capacity)
        mask = capacity - 1
    }

    deinit {
        upmixer?.deinitialize(count: 1)
        upmixer?.deallocate()
        mono?.deinitialize(count: 1)
        mono?.deallocate()
    }

    /// Restarts with silence. `upmix` is in force immediately.
    @_noLocks
    mutating func restart(_ upmix: UpmixState) {
        if let mono { mono.pointee.reset() }
        guard let upmixer else { return }
        upmixer.pointee.reset()
        for row in 0..<2 { Samples.clear(lines[row], count: mask + 1) }
        share.jump(to: upmix.isOn ? 1 : 0)
    }

    /// Fills all `feeds` from a pair of channels, which may be overwritten. If the programme is mono, only the first
    /// channel is read.
    @_noLocks
    package mutating func process(
        _ pair: UnsafePointer<UnsafeMutablePointer<Float>>, feeds: UnsafePointer<UnsafeMutablePointer<Float>>,
        feedCount: Int, frames: Int, upmix: UpmixState
    ) {
        if isMono { widen(pair, frames) }
        guard let upmixer else { return place(pair, feeds, feedCount, frames) }
        upmixer.pointee.controls = upmix.amounts
        upmixer.pointee.process(frames: frames, left: pair[0], right: pair[1], into: feeds)
        delay(pair, frames)
        share.aim(at: upmix.isOn ? 1 : 0)
        if share.rests && share.value() == 1 { return }
        if share.rests { return place(pair, feeds, feedCount, frames) }
        for i in 0..<frames {
            let placed = share.value(ahead: i)
            for feed in 0..<feedCount {
                let plain = feed == left ? pair[0][i] : feed == right ? pair[1][i] : 0
                feeds[feed][i] = placed * feeds[feed][i] + (1 - placed) * plain
            }
        }
        share.advance(frames)
    }

    /// Writes the pair to its two loudspeakers, and silence to all others.
    @_noLocks
    private func place(
        _ pair: UnsafePointer<UnsafeMutablePointer<Float>>, _ feeds: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ feedCount: Int, _ frames: Int
    ) {
        for feed in 0..<feedCount { Samples.clear(feeds[feed], count: frames) }
        Samples.copy(pair[0], to: feeds[left], count: frames)
        Samples.copy(pair[1], to: feeds[right], count: frames)
    }

    /// Makes a pair from one channel: decorrelated, or two copies of half the power.
    @_noLocks
    private func widen(_ pair: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        if let mono { return mono.pointee.process(pair[0], pair[1], frames: frames) }
        Samples.scale(pair[0], by: 0.707_106_8, count: frames)
        Samples.copy(pair[0], to: pair[1], count: frames)
    }

    /// Replaces the pair's samples by delayed ones.
    @_noLocks
    private mutating func delay(_ pair: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        for row in 0..<2 {
            let (line, samples) = (lines[row], pair[row])
            for i in 0..<frames { line[(head + i) & mask] = samples[i] }
            for i in 0..<frames { samples[i] = line[(head + i - latencyFrames) & mask] }
        }
        head += frames
    }
}
