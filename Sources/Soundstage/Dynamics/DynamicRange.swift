import CRealtime
import Signal

/// Normalises the loudness of a programme and compresses its dynamics. One gain is applied to all channels, in place,
/// without latency.
///
/// The gain is the product of the gains of normalisation and compression profile. If either gain is set to a new value,
/// it changes along a `SmoothStep` in decibels. The change adds nothing audible to a tone.
///
/// The profile's static curve is read at the level of `LoudnessDetector`. Its gain, in decibels, follows with one of
/// four time constants. In every block the difference of the level from the smoothed level selects the time constant.
/// The smoothed level follows with the same time constant (ATSC A/85, Annex F). The detector's delay is subtracted from
/// the time constants, so that the published times hold from sound to gain. A new gain is computed for every block of a
/// third of a millisecond, and is reached by a linear ramp during the next block.
///
/// The output is bit-identical, however a stream is divided into calls. With a neutral gain no sample is changed. The
/// processor is made on another thread; the audio thread uses it by pointer.
package struct DynamicRange: ~Copyable {
    /// Duration of a change of normalisation or compression, seconds.
    private static let passageSeconds = 0.15

    private let sampleRate: Double
    private let blockSeconds: Double
    /// Delay of the detector for a step up and for a step down, and delay of its short window, seconds.
    private let attackDelay: Double, releaseDelay: Double, fastDelay: Double
    private var detector: LoudnessDetector
    /// Power of each frame of a call.
    private let power: UnsafeMutablePointer<Double>
    /// Linear gain of each frame of a call.
    private let gains: UnsafeMutablePointer<Float>
    private let channelCount: Int
    private let maximumFrames: Int

    /// Number of frames of the present block that have been processed.
    private var position = 0
    /// Sum of the power of these frames.
    private var blockPower = 0.0
    /// Whether no frame has been processed since the restart.
    private var isFresh = true
    /// Gain of the normalisation, dB.
    private var normalisation: SmoothGain
    /// Compression controls in force. Newer controls are applied when the change to these controls is complete.
    private var asked = DynamicsControls()
    /// Course of a change: 1 if the profile's gain is in force, less while the gain still moves.
    private var passage: SmoothGain
    /// Gain at the start of the change, dB.
    private var former = 0.0
    /// The profile's gain, dB.
    private var compression = 0.0
    /// The smoothed level, dB above the reference.
    private var smoothed = 0.0
    /// Whether the detector runs.
    private var isFollowing = false
    /// Linear gain at the start and at the end of the present block.
    private var from: Float = 1
    private var to: Float = 1

    /// Makes a processor in its initial state. Memory: some kilobytes.
    ///
    /// - Parameters:
    ///   - channelWeights: BS.1770's weight of each channel, see `Loudspeaker.loudnessWeight`; 0 for the LFE.
    ///   - maximumFrames: Largest number of frames in one call, ≥ 1.
    package init(sampleRate: SampleRate, channelWeights: [Float], maximumFrames: Int) {
        self.sampleRate = sampleRate.hertz
        self.maximumFrames = max(1, maximumFrames)
        channelCount = channelWeights.count
        detector = LoudnessDetector(sampleRate: sampleRate, channelWeights: channelWeights)
        blockSeconds = sampleRate.seconds(frames: detector.blockFrames)
        let window = LoudnessDetector.windowSeconds(blockFrames: detector.blockFrames, sampleRate: sampleRate)
        // After a step up, most of the rise of the window's level in dB comes early. After a step down, the level stays
        // high until the window has almost passed. The block in which the gain is reached is added.
        attackDelay = 0.4 * window + blockSeconds
        releaseDelay = 0.8 * window + blockSeconds
        fastDelay = 2 * blockSeconds
        normalisation = SmoothGain(0, seconds: Self.passageSeconds, sampleRate: sampleRate.hertz)
        passage = SmoothGain(1, seconds: Self.passageSeconds, sampleRate: sampleRate.hertz)
        power = .allocate(capacity: self.maximumFrames)
        power.initialize(repeating: 0, count: self.maximumFrames)
        gains = .allocate(capacity: self.maximumFrames)
        gains.initialize(repeating: 1, count: self.maximumFrames)
    }

    deinit {
        power.deallocate()
        gains.deallocate()
    }

    /// Gain in force, dB: the sum of normalisation and compression.
    package var gain: Float { @_noLocks get { normalisation.value() + Float(eased) } }

    /// Restarts as if just made. The next call's controls come into force immediately, with compression at 0 dB.
    @_noLocks
    package mutating func restart() {
        detector.reset()
        position = 0
        blockPower = 0
        isFresh = true
        isFollowing = false
        (compression, smoothed, former) = (0, 0, 0)
        passage.jump(to: 1)
    }

    /// Processes `frames` ≤ `maximumFrames` frames of all channels, in place. Cost with compression: about 10 ns per
    /// frame, and 5 ns per frame for every four channels. Without compression it is one multiplication per sample, or
    /// nothing.
    @_noLocks
    package mutating func process(
        rows: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, controls: DynamicsControls
    ) {
        let frames = min(frames, maximumFrames)
        if isFresh {
            isFresh = false
            asked = controls
            normalisation.jump(to: controls.normalisation)
            (from, to) = (linear, linear)
        }
        let isHeard = asked.profile.isActive || controls.profile.isActive
        if !isHeard && isIdle && controls.normalisation == 0 {
            position = (position + frames) % detector.blockFrames
            blockPower = 0
            return
        }
        if isHeard && !isFollowing {
            detector.reset()
            smoothed = 0
            isFollowing = true
        }
        if isHeard { detector.measure(rows, count: frames, into: power) }
        var isUntouched = true
        var start = 0
        while start < frames {
            let count = min(detector.blockFrames - position, frames - start)
            fill(gains + start, count: count)
            if from != 1 || to != 1 { isUntouched = false }
            if isHeard { for i in start..<(start + count) { blockPower += power[i] } }
            position += count
            start += count
            if position == detector.blockFrames { endBlock(controls) }
        }
        if isUntouched { return }
        for channel in 0..<channelCount {
            let row = rows[channel]
            for i in 0..<frames { row[i] *= gains[i] }
        }
    }

    /// Whether the gain is neutral and no change is under way.
    private var isIdle: Bool {
        @_noLocks get { from == 1 && to == 1 && normalisation.rests(at: 0) && passage.rests && compression == 0 }
    }

    /// Computes the linear gains of the next `count` frames of the present block.
    @_noLocks
    private func fill(_ target: UnsafeMutablePointer<Float>, count: Int) {
        let step = (to - from) / Float(detector.blockFrames)
        for i in 0..<count { target[i] = from + step * Float(position + i) }
    }

    /// Computes the gain at the end of the next block.
    @_noLocks
    private mutating func endBlock(_ controls: DynamicsControls) {
        position = 0
        normalisation.aim(at: controls.normalisation)
        normalisation.advance(detector.blockFrames)
        if passage.rests && Self.compresses(controls, otherThan: asked) { take(controls) }
        if asked.profile.isActive { follow(asked) }
        passage.advance(detector.blockFrames)
        blockPower = 0
        from = to
        to = linear
    }

    /// Returns whether two controls compress differently.
    @_noLocks
    private static func compresses(_ controls: DynamicsControls, otherThan other: DynamicsControls) -> Bool {
        guard controls.profile == other.profile else { return true }
        return controls.profile.isActive
            && (controls.cutScale != other.cutScale || controls.boostScale != other.boostScale
                || controls.reference != other.reference)
    }

    /// Applies new compression controls. The gain moves to the gain that they require.
    @_noLocks
    private mutating func take(_ controls: DynamicsControls) {
        former = eased
        if !asked.profile.isActive { smoothed = 0 }
        if !controls.profile.isActive { (compression, isFollowing) = (0, false) }
        asked = controls
        passage.jump(to: 0)
        passage.aim(at: 1)
    }

    /// Compression in force, dB.
    private var eased: Double {
        @_noLocks get { passage.rests ? compression : former + (compression - former) * Double(passage.value()) }
    }

    /// Advances the smoothed level and the gain by a block.
    @_noLocks
    private mutating func follow(_ controls: DynamicsControls) {
        let curve = controls.profile.curve
        let heard = detector.take(blockPower)
        let reference = Double(controls.reference)
        var level = heard.long - reference
        let seconds: Double
        if heard.short - reference - smoothed > curve.attackThreshold {
            level = heard.short - reference
            seconds = curve.fastAttackSeconds - fastDelay
        } else if level >= smoothed {
            seconds = curve.attackSeconds - attackDelay
        } else {
            seconds =
                (smoothed - level > curve.releaseThreshold ? curve.fastReleaseSeconds : curve.releaseSeconds)
                - releaseDelay
        }
        var target = curve.gain(at: level)
        target *= Double(target < 0 ? controls.cutScale : controls.boostScale)
        let share = share(seconds)
        smoothed += (level - smoothed) * share
        compression += (target - compression) * share
    }

    /// Returns the share of the difference to the target that one block covers, for a time constant in seconds.
    @_noLocks
    private func share(_ seconds: Double) -> Double { 1 - prc_exp(-blockSeconds / seconds) }

    /// Total linear gain. It is exactly 1 for 0 dB.
    private var linear: Float {
        @_noLocks get {
            let decibels = Double(normalisation.value()) + eased
            return decibels == 0 ? 1 : Float(prc_exp(decibels * 0.115_129_254_649_702_28))
        }
    }
}
