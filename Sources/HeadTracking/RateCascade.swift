import Geometry
import Glibc

/// A rate and its changes. The changes are the first, second and third differences of a series of four values: the
/// rate, and three increasingly smoothed versions of the rate.
///
/// Three one-pole low passes in series replace delays (a Laguerre network with its pole on the real axis: Wahlberg,
/// "System identification using Laguerre models", IEEE Trans. Automatic Control 36, 1991). The low passes are
/// independent of the sample rate and allow uneven steps. O(1), without allocation.
struct RateCascade: Sendable {
    /// Time constant of each low pass, seconds. A longer one reduces the noise, and resolves quick changes less well.
    private let timeConstant: Double
    private var rate: SIMD3<Double>
    private var slow: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    /// Starts from a constant rate, rad/s.
    init(_ rate: SIMD3<Double>, timeConstant: Double) {
        self.timeConstant = timeConstant
        self.rate = rate
        slow = (rate, rate, rate)
    }

    /// Adds the rate, rad/s, `step` seconds after the last one.
    mutating func take(_ rate: SIMD3<Double>, after step: Double) {
        let share = 1 - exp(-step / timeConstant)
        self.rate = rate
        slow.0 += share * (rate - slow.0)
        slow.1 += share * (slow.0 - slow.1)
        slow.2 += share * (slow.1 - slow.2)
    }

    /// Rate and differences, rad/s. The differences are 0 at a constant rate. The n-th difference is of the order of
    /// the n-th derivative times the n-th power of the time constant.
    var terms: Terms {
        let (a, b, c, d) = (rate, slow.0, slow.1, slow.2)
        return Terms(a, a - b, a - 2 * b + c, a - 3 * b + 3 * c - d)
    }

    /// The rate and its three differences. The prediction is a weighted sum of these four terms.
    struct Terms: BitwiseCopyable, Sendable {
        private let vectors: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

        init(_ rate: SIMD3<Double>, _ one: SIMD3<Double>, _ two: SIMD3<Double>, _ three: SIMD3<Double>) {
            vectors = (rate, one, two, three)
        }

        /// The rate itself.
        var rate: SIMD3<Double> { vectors.0 }

        /// Returns the four numbers of one axis, 0…2.
        func axis(_ index: Int) -> SIMD4<Double> {
            SIMD4(vectors.0[index], vectors.1[index], vectors.2[index], vectors.3[index])
        }

        /// Returns the weighted sum of the vectors.
        func weighed(by weights: SIMD4<Double>) -> SIMD3<Double> {
            weights.x * vectors.0 + weights.y * vectors.1 + weights.z * vectors.2 + weights.w * vectors.3
        }
    }
}
