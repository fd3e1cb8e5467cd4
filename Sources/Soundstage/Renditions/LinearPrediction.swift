import CRealtime

/// Fits a linear prediction to the last samples of a sound that broke off. `SoundTail` continues the sound with it.
///
/// J. P. Burg's method ("Maximum entropy spectral analysis", 1975) fits a lattice to at most the last `window` samples,
/// forwards and backwards, without windowing. Steady tones keep their level; autocorrelation methods would let them
/// decay. Double precision is used, because in single precision rounding would lose a low tone at 48 kHz. In theory the
/// fitted model is stable. `SoundTail` limits the output nevertheless.
///
/// If the model predicts the last samples less well than a straight line through the two preceding samples, the window
/// contains a sudden change, such as the beginning of another sound. The fit is then repeated on the last quarter, as
/// often as needed.
///
/// The audio thread uses the value by pointer. All memory is allocated in advance. Cost: 3·`order`·`window`
/// multiply-adds, and a third more if the fit is repeated. `Documentation/explanation/renditions.md` has the time.
struct LinearPrediction: ~Copyable {
    /// Largest number of samples of a fit: 16 ms at 48 kHz, two periods of a low voice.
    static var window: Int { @_noLocks get { 768 } }
    /// Number of coefficients, for twelve resonances.
    static var order: Int { @_noLocks get { 24 } }
    /// Number of samples by which a fit is judged. It is also the smallest number of samples on which a fit is
    /// repeated.
    private static var shortest: Int { @_noLocks get { 64 } }

    /// Up to `window` samples, oldest first. The caller writes them before `fit`.
    let past: UnsafeMutablePointer<Double>
    private let forward: UnsafeMutablePointer<Double>
    private let backward: UnsafeMutablePointer<Double>
    private let scratch: UnsafeMutablePointer<Double>

    /// Allocates the memory for one fit at a time.
    init() {
        func memory(_ count: Int) -> UnsafeMutablePointer<Double> {
            let memory = UnsafeMutablePointer<Double>.allocate(capacity: count)
            memory.initialize(repeating: 0, count: count)
            return memory
        }
        past = memory(Self.window)
        forward = memory(Self.window)
        backward = memory(Self.window)
        scratch = memory(Self.order)
    }

    deinit {
        past.deallocate()
        forward.deallocate()
        backward.deallocate()
        scratch.deallocate()
    }

    /// Fits a model to the first `known` ≤ `window` samples of `past`. `peak` is their largest magnitude.
    ///
    /// - Parameter coefficients: a₁…a_p of the prediction-error filter in reversed order; 0 above the fitted order:
    ///   `[order]`.
    @_noLocks
    func fit(known: Int, peak: Double, to coefficients: UnsafeMutablePointer<Double>) {
        var length = known
        while true {
            let order = min(Self.order, length / 3)
            fit(length, of: known, order, floor: peak * peak * 1e-12, coefficients)
            if length < 2 * Self.shortest || isApt(length, of: known, order) { return }
            length = max(Self.shortest, length / 4)
        }
    }

    /// Returns whether the last fit predicts the last samples at least as well as a straight line through the two
    /// preceding samples.
    @_noLocks
    private func isApt(_ length: Int, of known: Int, _ order: Int) -> Bool {
        // Energies of the forward prediction error and of the straight line's error.
        var (error, bend) = (0.0, 0.0)
        for i in max(order, length - Self.shortest)..<length {
            let x = past + (known - length + i)
            error += forward[i] * forward[i]
            let second = x[0] - 2 * x[-1] + x[-2]
            bend += second * second
        }
        return error <= bend
    }

    /// Burg's recursion over the last `length` of the known samples. At stage m the backward error at index j belongs
    /// to the forward error at index j + m + 1.
    @_noLocks
    private func fit(
        _ length: Int, of known: Int, _ order: Int, floor: Double, _ coefficients: UnsafeMutablePointer<Double>
    ) {
        for i in 0..<length {
            forward[i] = past[known - length + i]
            backward[i] = forward[i]
        }
        for i in 0..<Self.order { coefficients[i] = 0 }
        guard order > 0 else { return }
        var power = 2 * Self.product(forward, forward, count: length)
        power -= forward[0] * forward[0] + backward[length - 1] * backward[length - 1]
        for m in 0..<order {
            let length = length - m - 1
            let ahead = forward + (m + 1)
            let common = Self.product(ahead, backward, count: length)
            let k = -2 * common / (power + floor * Double(length))
            Self.turn(ahead, backward, by: k, count: length)
            // Power of both errors after the update, without the samples that the next stage leaves out.
            power = max(0, (1 + k * k) * power + 4 * k * common)
            power = max(0, power - ahead[0] * ahead[0] - backward[length - 1] * backward[length - 1])
            // a_i += k·a_(m+1−i), with a_0 = 1. a_i is stored at index order − i.
            for i in 1..<(m + 1) + 1 {
                let mirrored = i == m + 1 ? 1 : coefficients[Self.order - (m + 1 - i)]
                scratch[i - 1] = coefficients[Self.order - i] + k * mirrored
            }
            for i in 1..<(m + 1) + 1 { coefficients[Self.order - i] = scratch[i - 1] }
        }
    }

    /// Updates f += k·b and b += k·f. Both use the old values.
    @_noLocks
    private static func turn(
        _ f: UnsafeMutablePointer<Double>, _ b: UnsafeMutablePointer<Double>, by k: Double, count: Int
    ) {
        var i = 0
        while i + 4 <= count {
            let (x, y) = (four(f + i), four(b + i))
            store(x + k * y, f + i)
            store(y + k * x, b + i)
            i += 4
        }
        while i < count {
            let (x, y) = (f[i], b[i])
            f[i] = x + k * y
            b[i] = y + k * x
            i += 1
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

    /// Returns Σ x·y, summed in a fixed order.
    @_noLocks
    static func product(_ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>, count: Int) -> Double {
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
