import Signal

/// A high pass for the sum of image sources. Below a room's lowest mode all images add up in phase, to a static
/// pressure that no loudspeaker produces (Allen & Berkley 1979 filter for the same reason).
///
/// Fourth-order Butterworth filter of two second-order sections, for both ears at once.
struct SubsonicFilter: Sendable {
    /// Quality factors of the Butterworth sections, rounded to six digits; more digits would change the rooms
    /// generated.
    private static let qualities = [0.541196, 1.306563]
    private let sections: [SecondOrderSection]

    /// Makes a filter that is 3 dB down at `corner` hertz.
    init(corner: Double, sampleRate: Double) {
        sections = Self.qualities.map {
            SecondOrderSection(highPass: corner, quality: $0, sampleRate: sampleRate)
        }
    }

    /// Makes the filter of a room. Its corner is the lowest mode of the longest dimension, 20 Hz at least.
    init(_ room: Shoebox, sampleRate: Double) {
        let longest = max(room.size.x, room.size.y, room.size.z)
        self.init(corner: max(20, Radiation.speedOfSound / (2 * longest)), sampleRate: sampleRate)
    }

    /// Filters two rows of `count` samples in place, from a zero state.
    func run(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int) {
        for section in sections {
            var filter = SecondOrderFilterPair(section, section)
            for i in 0..<count {
                let y = filter(SIMD2(Double(left[i]), Double(right[i])))
                left[i] = Float(y.x)
                right[i] = Float(y.y)
            }
        }
    }
}
