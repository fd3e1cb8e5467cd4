/// Continuation of a sound that broke off. It is the prediction of the sound, up to the first sample that exceeds a
/// limit for the level or for the curvature. From there on the samples approach a constant value exponentially (a
/// glide).
///
/// The fit is computed in the period of the break. The samples are computed piece by piece, in the periods that need
/// them. Only the audio thread uses the tail; the owner frees the memory.
struct SoundTail: BitwiseCopyable {
    /// Largest number of samples in a piece.
    static var longest: Int { @_noLocks get { ProgrammeSlice.longest } }
    /// Longest time constant of a glide, samples: 5 ms at 48 kHz.
    private static var glide: Double { @_noLocks get { 240 } }

    /// `[order]`: a₁…a_p in reversed order.
    private let coefficients: UnsafeMutablePointer<Double>
    /// The last `order` samples that were computed, then the samples of the newest piece.
    private let samples: UnsafeMutablePointer<Double>
    /// Largest magnitude that a predicted sample may have.
    private var most = 0.0
    /// Largest second difference that a predicted sample may have.
    private var bend = 0.0
    /// Peak of the sound.
    private var peak = 0.0
    /// Number of samples in the newest piece.
    private var made = 0
    private var isGliding = false
    /// Remaining change of the sample value in a glide.
    private var left = 0.0
    /// Time constant of a glide, samples.
    private var reach = 1.0

    /// Makes a silent tail.
    init() {
        coefficients = .allocate(capacity: LinearPrediction.order)
        coefficients.initialize(repeating: 0, count: LinearPrediction.order)
        samples = .allocate(capacity: LinearPrediction.order + Self.longest)
        samples.initialize(repeating: 0, count: LinearPrediction.order + Self.longest)
    }

    /// Frees the memory.
    func deallocate() {
        coefficients.deallocate()
        samples.deallocate()
    }

    /// Begins a tail that continues the first `known` ≥ 1 samples of the prediction's past.
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

    /// Computes the next `count` ≤ `longest` samples. They are valid until the next call.
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
                // The glide begins at the last value with the last slope. It is no rougher than a tone of the same peak
                // and slope.
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
