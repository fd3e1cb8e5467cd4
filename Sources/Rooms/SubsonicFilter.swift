import Glibc

/// A high pass for the image sources' sum: at frequencies below a room's lowest mode all images add up in phase, to a
/// static pressure that no loudspeaker makes (Allen & Berkley 1979 filter for the same reason).
///
/// Butterworth of fourth order as two second-order sections by the bilinear transform (R. Bristow-Johnson, "Cookbook
/// formulae for audio EQ biquad filter coefficients"); both ears at once.
struct SubsonicFilter: Sendable {
    private let sections: [(b0: Double, b1: Double, a1: Double, a2: Double)]

    /// A filter that is 3 dB down at `corner` hertz.
    init(corner: Double, sampleRate: Double) {
        let angle = 2 * Double.pi * corner / sampleRate
        sections = [0.541196, 1.306563].map { q in
            let alpha = sin(angle) / (2 * q)
            let scale = 1 / (1 + alpha)
            let b = (1 + cos(angle)) / 2 * scale
            return (b, -2 * b, -2 * cos(angle) * scale, (1 - alpha) * scale)
        }
    }

    /// For a room: its lowest mode along the longest dimension, 20 Hz at least.
    init(_ room: Shoebox, sampleRate: Double) {
        let longest = max(room.size.x, room.size.y, room.size.z)
        self.init(corner: max(20, Radiation.speedOfSound / (2 * longest)), sampleRate: sampleRate)
    }

    /// Filters two rows of `count` samples in place, from silence.
    func run(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int) {
        for section in sections {
            var (x1, x2, y1, y2) = (SIMD2<Double>.zero, SIMD2<Double>.zero, SIMD2<Double>.zero, SIMD2<Double>.zero)
            for i in 0..<count {
                let x = SIMD2(Double(left[i]), Double(right[i]))
                let y = section.b0 * (x + x2) + section.b1 * x1 - section.a1 * y1 - section.a2 * y2
                (x2, x1, y2, y1) = (x1, x, y1, y)
                left[i] = Float(y.x)
                right[i] = Float(y.y)
            }
        }
    }
}
