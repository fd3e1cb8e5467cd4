import Geometry
import Signal

/// Where stereo becomes the feeds of a stage made for more: by an upmix, or plainly on the loudspeakers that stand
/// nearest to ±30°. From one to the other it passes in 100 ms, at the same delay.
///
/// It runs all the time, whether it is heard or not, so that a hand-over finds it warm.
package struct StereoSpread: ~Copyable {
    /// Seconds in which an upmix comes and goes.
    private static let passage = 0.1

    /// Frames by which its feeds come later than its inputs.
    package let latencyFrames: Int
    private let left: Int
    private let right: Int
    private let upmixer: UnsafeMutablePointer<StereoUpmixer>?
    private let mono: UnsafeMutablePointer<MonoSpread>?
    private let isMono: Bool
    /// The pair on its way past the upmixer.
    private let lines: PlanarBlock
    private let mask: Int
    private var head = 0
    /// 1 where the upmix is heard, 0 where the pair is.
    private var share: SmoothGain

    /// For the loudspeakers of a programme's layout, at least two.
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

    /// Begins anew with silence; what is asked for is heard at once.
    @_noLocks
    mutating func restart(_ upmix: UpmixState) {
        guard let upmixer else { return }
        upmixer.pointee.reset()
        for row in 0..<2 { Samples.clear(lines[row], count: mask + 1) }
        share.jump(to: upmix.isOn ? 1 : 0)
    }

    /// Fills `feeds`, all of them, from a pair of channels (of one: from the first), which it may change.
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

    /// The pair on its two loudspeakers, silence on the others.
    @_noLocks
    private func place(
        _ pair: UnsafePointer<UnsafeMutablePointer<Float>>, _ feeds: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ feedCount: Int, _ frames: Int
    ) {
        for feed in 0..<feedCount { Samples.clear(feeds[feed], count: frames) }
        Samples.copy(pair[0], to: feeds[left], count: frames)
        Samples.copy(pair[1], to: feeds[right], count: frames)
    }

    /// Makes a pair of one channel: a wide one, or two halves of its power.
    @_noLocks
    private func widen(_ pair: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        if let mono { return mono.pointee.process(pair[0], pair[1], frames: frames) }
        Samples.scale(pair[0], by: 0.707_106_8, count: frames)
        Samples.copy(pair[0], to: pair[1], count: frames)
    }

    /// Replaces the pair by what it was a latency ago.
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
