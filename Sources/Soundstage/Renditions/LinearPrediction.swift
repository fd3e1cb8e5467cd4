import CRealtime

/// Continues a sound that broke off, by linear prediction from its last samples.
///
/// J. P. Burg's method ("Maximum entropy spectral analysis", 1975) fits a lattice to the last `window` samples, forwards and
/// backwards, without windowing: steady tones go on at their own level, where autocorrelation methods would let them die
/// away. Double precision: in single precision a low tone at 48 kHz is lost in rounding. The fitted model is stable in
/// theory; what it gives is bounded all the same.
///
/// Reached by pointer on the audio thread; all memory is prepared. Cost: about 2·`order`·`window` multiply-adds to fit (some
/// 40 µs) and `order` for each sample that is made.
struct LinearPrediction: ~Copyable {
    /// Samples the model is fitted to: 16 ms at 48 kHz, two periods of a low voice.
    static var window: Int { @_noLocks get { 768 } }
    /// Coefficients: twelve resonances.
    static var order: Int { @_noLocks get { 24 } }

    /// The last samples, then what follows them.
    private let samples: UnsafeMutablePointer<Double>
    private let forward: UnsafeMutablePointer<Double>
    private let backward: UnsafeMutablePointer<Double>
    /// a₁…a_p of the prediction-error filter, reversed: `[order]`.
    private let coefficients: UnsafeMutablePointer<Double>
    private let scratch: UnsafeMutablePointer<Double>

    /// Memory to make `longest` samples at most.
    init(longest: Int) {
        samples = .allocate(capacity: Self.window + longest)
        samples.initialize(repeating: 0, count: Self.window + longest)
        forward = .allocate(capacity: Self.window)
        forward.initialize(repeating: 0, count: Self.window)
        backward = .allocate(capacity: Self.window)
        backward.initialize(repeating: 0, count: Self.window)
        coefficients = .allocate(capacity: Self.order)
        coefficients.initialize(repeating: 0, count: Self.order)
        scratch = .allocate(capacity: Self.order)
        scratch.initialize(repeating: 0, count: Self.order)
    }

    deinit {
        samples.deallocate()
        forward.deallocate()
        backward.deallocate()
        coefficients.deallocate()
        scratch.deallocate()
    }

    /// The last `window` samples, oldest first, to be filled in before `extend`.
    var past: UnsafeMutablePointer<Double> { @_noLocks get { samples } }

    /// Makes the `count` samples that follow `past`; valid until the next call. At most twice as large as the largest before.
    @_noLocks
    func extend(_ count: Int) -> UnsafePointer<Double> {
        var peak = 0.0
        for i in 0..<Self.window { peak = max(peak, abs(samples[i])) }
        guard peak > 0 else {
            for i in 0..<count { samples[Self.window + i] = 0 }
            return UnsafePointer(samples + Self.window)
        }
        fit(floor: peak * peak * 1e-12)
        let limit = 2 * peak
        for i in 0..<count {
            let recent = samples + (Self.window + i - Self.order)
            let next = -Self.product(coefficients, recent, count: Self.order)
            samples[Self.window + i] = max(-limit, min(limit, next))
        }
        return UnsafePointer(samples + Self.window)
    }

    /// Burg's recursion. At stage m the backward error kept at j belongs to the forward error at j + m + 1.
    @_noLocks
    private func fit(floor: Double) {
        for i in 0..<Self.window {
            forward[i] = samples[i]
            backward[i] = samples[i]
        }
        for i in 0..<Self.order { coefficients[i] = 0 }
        for m in 0..<Self.order {
            let length = Self.window - m - 1
            let ahead = forward + (m + 1)
            let power = Self.product(ahead, ahead, count: length) + Self.product(backward, backward, count: length)
            let k = -2 * Self.product(ahead, backward, count: length) / (power + floor * Double(length))
            var i = 0
            while i + 4 <= length {
                let (f, b) = (Self.four(ahead + i), Self.four(backward + i))
                Self.store(f + k * b, ahead + i)
                Self.store(b + k * f, backward + i)
                i += 4
            }
            while i < length {
                let (f, b) = (ahead[i], backward[i])
                ahead[i] = f + k * b
                backward[i] = b + k * f
                i += 1
            }
            // a_i += k·a_(m+1−i), with a_0 = 1; a_i is kept at order − i.
            for i in 1..<(m + 1) + 1 {
                let mirrored = i == m + 1 ? 1 : coefficients[Self.order - (m + 1 - i)]
                scratch[i - 1] = coefficients[Self.order - i] + k * mirrored
            }
            for i in 1..<(m + 1) + 1 { coefficients[Self.order - i] = scratch[i - 1] }
        }
    }

    @_noLocks
    private static func four(_ p: UnsafePointer<Double>) -> SIMD4<Double> {
        UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Double>.self)
    }

    @_noLocks
    private static func store(_ value: SIMD4<Double>, _ p: UnsafeMutablePointer<Double>) {
        UnsafeMutableRawPointer(p).storeBytes(of: value, as: SIMD4<Double>.self)
    }

    /// Σ x·y in a fixed order.
    @_noLocks
    private static func product(_ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>, count: Int) -> Double {
        var (even, odd) = (SIMD4<Double>(), SIMD4<Double>())
        var i = 0
        while i + 8 <= count {
            even += four(x + i) * four(y + i)
            odd += four(x + (i + 4)) * four(y + (i + 4))
            i += 8
        }
        let sum = even + odd
        var total = (sum.x + sum.y) + (sum.z + sum.w)
        while i < count {
            total += x[i] * y[i]
            i += 1
        }
        return total
    }
}
