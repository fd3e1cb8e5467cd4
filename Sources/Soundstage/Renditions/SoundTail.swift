/// Continuation of a sound that broke off: its prediction, as long as that exceeds neither the level nor the curvature
/// known of the sound, then a glide to rest.
///
/// Computed piece by piece as it is heard, so that the cycle of the break bears only the cost of the fit. Used by the
/// audio thread alone; the owner frees its memory.
struct SoundTail: BitwiseCopyable {
    /// Most samples per piece.
    static var longest: Int { @_noLocks get { ProgrammeSlice.longest } }
    /// Longest time constant of a glide, samples: 5 ms at 48 kHz.
    private static var glide: Double { @_noLocks get { 240 } }

    /// a₁…a_p, reversed: `[order]`.
    private let coefficients: UnsafeMutablePointer<Double>
    /// The last `order` samples computed, then those of the newest piece.
    private let samples: UnsafeMutablePointer<Double>
    /// Bounds of magnitude and of second difference, and the sound's peak.
    private var most = 0.0
    private var bend = 0.0
    private var peak = 0.0
    /// Number of samples in the newest piece.
    private var made = 0
    private var isGliding = false
    /// Remaining distance of a glide, and its time constant, samples.
    private var left = 0.0
    private var reach = 1.0

    /// Makes a silent tail.
    init() {
        coefficients = .allocate(capacity: LinearPrediction.order)
        coefficients.initialize(repeating: 0, count: LinearPrediction.order)
        samples = .allocate(capacity: LinearPrediction.order + Self.longest)
        samples.initialize(repeating: 0, count: LinearPrediction.order + Self.longest)
    }

    /// Frees its memory.
    func deallocate() {
        coefficients.deallocate()
        samples.deallocate()
    }

    /// Starts from the first `known` ≥ 1 samples of the prediction's past.
    @_noLocks
    mutating func begin(known: Int, _ prediction: borrowing LinearPrediction) {
        let past = prediction.past
        (peak, bend) = (0, 0)
        for i in 0..<known {
            peak = max(peak, abs(past[i]))
            if i >= 2 { bend = max(bend, abs(past[i] - 2 * past[i - 1] + past[i - 2])) }
        }
        // The sound's peaks may lie outside the window.
        (most, bend) = (1.5 * peak, 1.25 * bend)
        if peak > 0 { prediction.fit(known: known, peak: peak, to: coefficients) }
        isGliding = peak == 0
        (left, reach) = (0, 1)
        let order = LinearPrediction.order
        for i in 0..<order { samples[i] = past[max(0, known - order + i)] }
        made = 0
    }

    /// Computes the next `count` ≤ `longest` samples; valid until the next call.
    @_noLocks
    mutating func next(_ count: Int) -> UnsafePointer<Double> {
        let order = LinearPrediction.order
        for i in 0..<order { samples[i] = samples[i + made] }
        made = count
        let next = samples + order
        for i in 0..<count {
            if !isGliding {
                let value = -LinearPrediction.product(coefficients, next + (i - order), count: order)
                let slope = next[i - 1] - next[i - 2]
                if abs(value) <= most && abs(value - next[i - 1] - slope) <= bend {
                    next[i] = value
                    continue
                }
                // Glide from the last value, with the last slope, to rest: no rougher than a tone of that peak and
                // slope.
                isGliding = true
                reach = slope == 0 ? 1 : max(1, min(Self.glide, peak / abs(slope)))
                left = slope * reach
            }
            let step = left / reach
            left -= step
            next[i] = next[i - 1] + step
        }
        return UnsafePointer(next)
    }
}
