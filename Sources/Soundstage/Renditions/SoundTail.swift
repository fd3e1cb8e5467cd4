/// What follows a sound that broke off: its prediction, for as long as that neither outgrows nor bends further than all
/// that is known of the sound, then a glide to rest.
///
/// Made as it is heard, piece by piece, so that the cycle of the break bears the fit alone. Used by the audio thread
/// alone; the owner frees its memory.
struct SoundTail: BitwiseCopyable {
    /// Most samples of one piece.
    static var longest: Int { @_noLocks get { ProgrammeSlice.longest } }
    /// Samples in which a glide comes to rest, at most: 5 ms at 48 kHz.
    private static var glide: Double { @_noLocks get { 240 } }

    /// a₁…a_p, reversed: `[order]`.
    private let coefficients: UnsafeMutablePointer<Double>
    /// The last `order` samples made, then those of the newest piece.
    private let samples: UnsafeMutablePointer<Double>
    /// Bounds of what may be heard.
    private var most = 0.0
    private var bend = 0.0
    private var peak = 0.0
    /// Samples in the newest piece.
    private var made = 0
    private var isGliding = false
    /// What a glide has yet to go, and the samples it takes to go most of it.
    private var left = 0.0
    private var reach = 1.0

    /// Silence.
    init() {
        coefficients = .allocate(capacity: LinearPrediction.order)
        coefficients.initialize(repeating: 0, count: LinearPrediction.order)
        samples = .allocate(capacity: LinearPrediction.order + Self.longest)
        samples.initialize(repeating: 0, count: LinearPrediction.order + Self.longest)
    }

    /// Frees what it holds.
    func deallocate() {
        coefficients.deallocate()
        samples.deallocate()
    }

    /// Sets out from the first `known` ≥ 1 samples of the prediction's past.
    @_noLocks
    mutating func begin(known: Int, _ prediction: borrowing LinearPrediction) {
        let past = prediction.past
        (peak, bend) = (0, 0)
        for i in 0..<known {
            peak = max(peak, abs(past[i]))
            if i >= 2 { bend = max(bend, abs(past[i] - 2 * past[i - 1] + past[i - 2])) }
        }
        // The window need not hold the sound's peaks.
        (most, bend) = (1.5 * peak, 1.25 * bend)
        if peak > 0 { prediction.fit(known: known, peak: peak, to: coefficients) }
        isGliding = peak == 0
        (left, reach) = (0, 1)
        let order = LinearPrediction.order
        for i in 0..<order { samples[i] = past[max(0, known - order + i)] }
        made = 0
    }

    /// Makes the next `count` ≤ `longest` samples; valid until the next call.
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
                // From the last value, with the last slope, to rest: no rougher than a tone of that peak and slope.
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
