import CRealtime
import Signal

/// True-peak limiter with 1.5 ms of look-ahead. The gain of both ears has fallen smoothly before a peak leaves the
/// delay line.
///
/// `TruePeakMeter` estimates peaks between the samples. The gain for each peak is held over a window (a sliding
/// minimum), then averaged over the window. The average has therefore reached that gain when the peak leaves the delay
/// line. Recovery is exponential. At a gain of 1 the delayed samples pass bit for bit.
struct LookaheadGuard: ~Copyable {
    /// −1 dBTP, the ceiling of EBU R 128 for delivery.
    static var ceiling: Float { @_noLocks get { 0.891_251 } }
    /// Threshold of the limiter, 0.1 dB below the ceiling. The margin is for peaks of frequencies close to half the
    /// rate, which even a long interpolator underestimates.
    static var threshold: Float { @_noLocks get { 0.881_049 } }
    /// Look-ahead, seconds. It includes the delay of the interpolation filter. At low rates it is longer: at least 48
    /// frames.
    static var seconds: Double { 0.0015 }
    /// Time constant of the recovery, seconds.
    static var releaseSeconds: Double { 0.06 }
    /// Fixed-point value of a gain of 1. The running sum of fixed-point gains stays exact.
    private static var one: Int { @_noLocks get { 1 << 30 } }
    /// Frames that are processed at a time.
    private static var chunk: Int { @_noLocks get { 64 } }

    /// Delay of the output, frames.
    let latencyFrames: Int
    /// Frames over which the gain is averaged.
    private let window: Int
    /// Frames for which a gain is held: the window and 8 frames more, because a peak may lie between samples.
    private let hold: Int
    /// Part of the difference between the gain and 1 that is recovered per frame.
    private let release: Double
    private var meter: TruePeakMeter
    /// `[ear]`: rings of the last `latencyFrames` samples.
    private let delayed: PlanarBlock
    private var place = 0
    /// Ring of the last `window` gains after hold and recovery, in fixed point.
    private let held: UnsafeMutablePointer<Int>
    private var heldSum: Int
    private var heldPlace = 0
    /// Monotone queue of the sliding minimum: gains, oldest first. `queueTime` has the frame number of each gain.
    private let queueGain: UnsafeMutablePointer<Int>
    private let queueTime: UnsafeMutablePointer<Int>
    private var queueHead = 0
    private var queueTail = 0
    private var time = 0
    /// Gain after hold and recovery.
    private var recovering: Double = 1
    private let peaks: UnsafeMutablePointer<Float>

    /// Makes a limiter at rest.
    init(sampleRate: Double) {
        latencyFrames = LookaheadGuard.latency(sampleRate: sampleRate)
        // A peak is measured `delay` frames after its sample entered. The sample leaves with the window's last frame.
        window = latencyFrames - TruePeakMeter.delay
        hold = window + 8
        release = 1 - prc_exp(-1 / (LookaheadGuard.releaseSeconds * sampleRate))
        meter = TruePeakMeter(chunk: LookaheadGuard.chunk)
        delayed = PlanarBlock(channels: 2, frames: latencyFrames)
        held = .allocate(capacity: window)
        held.initialize(repeating: LookaheadGuard.one, count: window)
        heldSum = window * LookaheadGuard.one
        queueGain = .allocate(capacity: hold + 1)
        queueGain.initialize(repeating: 0, count: hold + 1)
        queueTime = .allocate(capacity: hold + 1)
        queueTime.initialize(repeating: 0, count: hold + 1)
        peaks = AlignedMemory.allocate(Float.self, count: LookaheadGuard.chunk)
        peaks.initialize(repeating: 0, count: LookaheadGuard.chunk)
    }

    deinit {
        held.deallocate()
        queueGain.deallocate()
        queueTime.deallocate()
        peaks.deallocate()
    }

    /// Returns the latency at a rate, frames: 72 at 48 kHz.
    static func latency(sampleRate: Double) -> Int {
        max(2 * TruePeakMeter.delay, Int((seconds * sampleRate).rounded()))
    }

    /// Clears the meter, the gains and the delay line. The last output samples, `left` and `right`, fade out over the
    /// latency.
    @_noLocks
    mutating func reset(fadingFrom left: Float, _ right: Float) {
        meter.reset()
        place = 0
        for i in 0..<latencyFrames {
            let rest = 1 - Float(i + 1) / Float(latencyFrames)
            delayed[0][i] = left * rest
            delayed[1][i] = right * rest
        }
        for i in 0..<window { held[i] = LookaheadGuard.one }
        heldSum = window * LookaheadGuard.one
        (heldPlace, queueHead, queueTail, time, recovering) = (0, 0, 0, 0, 1)
    }

    /// Limits `count` frames in place and returns the smallest gain used. Cost: about 700 multiply-adds per frame where
    /// the sound is within 13 dB of the ceiling; otherwise one scan of the samples.
    @_noLocks
    mutating func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int)
        -> Float
    {
        var smallest: Float = 1
        var start = 0
        while start < count {
            let n = min(LookaheadGuard.chunk, count - start)
            meter.measure(
                left + start, right + start, count: n, threshold: LookaheadGuard.threshold, peaks: peaks)
            for i in 0..<n {
                let gain = advance(peak: peaks[i])
                smallest = min(smallest, gain)
                let (l, r) = (left[start + i], right[start + i])
                left[start + i] = delayed[0][place] * gain
                right[start + i] = delayed[1][place] * gain
                delayed[0][place] = l
                delayed[1][place] = r
                place = place + 1 == latencyFrames ? 0 : place + 1
            }
            start += n
        }
        return smallest
    }

    /// Adds one frame's peak and returns the gain for the frame that leaves the delay line.
    @_noLocks
    private mutating func advance(peak: Float) -> Float {
        let one = LookaheadGuard.one
        // Rounded down, because the average must not exceed the gain needed for any peak in the window.
        let needed = peak > LookaheadGuard.threshold ? Int(Double(LookaheadGuard.threshold / peak) * Double(one)) : one
        let size = hold + 1
        while queueHead != queueTail {
            let last = queueTail == 0 ? size - 1 : queueTail - 1
            if queueGain[last] < needed { break }
            queueTail = last
        }
        queueGain[queueTail] = needed
        queueTime[queueTail] = time
        queueTail = queueTail + 1 == size ? 0 : queueTail + 1
        if queueTime[queueHead] <= time - hold { queueHead = queueHead + 1 == size ? 0 : queueHead + 1 }
        time += 1
        recovering += (1 - recovering) * release
        if recovering > 0.999_999 { recovering = 1 }
        recovering = min(recovering, Double(queueGain[queueHead]) / Double(one))
        let present = Int(recovering * Double(one))
        heldSum += present - held[heldPlace]
        held[heldPlace] = present
        heldPlace = heldPlace + 1 == window ? 0 : heldPlace + 1
        return heldSum == window * one ? 1 : Float(Double(heldSum) / Double(window * one))
    }
}
