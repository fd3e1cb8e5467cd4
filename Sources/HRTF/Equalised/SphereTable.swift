import Glibc

/// Low-frequency spectra of a rigid sphere by the angle of incidence. They are aligned like a set's responses, with the
/// detected onset at the preroll.
///
/// Below some hundred hertz heads differ from spheres by less than 1 dB (Algazi, Avendano & Duda, "Approximating the
/// head-related transfer function using simple geometric models of the head and torso", JASA 112 (2002)).
struct SphereTable: Sendable {
    /// Highest frequency of the table, hertz; the lowest is 0.
    static let highest = 1800.0
    /// Spacing of the angles, radians: 5°.
    static let step = Double.pi / 36

    /// Spacing of the bins, hertz.
    let binHz: Double
    /// Number of bins in each spectrum.
    let binCount: Int
    /// Spectra `[angle][bin]`.
    private let spectra: [[(real: Double, imaginary: Double)]]

    /// Computes the table for spectra of `count` points with onsets at sample `preroll`. If `hasDelays` is false, the
    /// spectra of all angles have the phase of 90° and differ only in level.
    init(radius: Double, sampleRate: Double, count: Int, preroll: Int, hasDelays: Bool = true) {
        let binHz = sampleRate / Double(count)
        let bins = min(count / 2, Int(SphereTable.highest / binHz) + 1)
        let sphere = RigidSphere(radius: radius)
        let angles = (0...36).map { SphereTable.step * Double($0) }
        let cosines = angles.map { cos($0) }
        let lag = SphereTable.onsetLag(of: sphere, sampleRate: sampleRate, steps: 36)
        let responses = (0..<bins).map { sphere.response(frequency: Double($0) * binHz, cosines: cosines) }
        let aligned = angles.indices.map { index in
            let advance = sphere.arrival(angle: angles[index]) - (Double(preroll) - lag[index]) / sampleRate
            return (0..<bins).map { bin -> (real: Double, imaginary: Double) in
                let turn = 2 * .pi * Double(bin) * binHz * advance
                let value = responses[bin][index]
                return (
                    value.real * cos(turn) - value.imaginary * sin(turn),
                    value.real * sin(turn) + value.imaginary * cos(turn)
                )
            }
        }
        let middle = aligned[angles.count / 2]
        spectra =
            hasDelays
            ? aligned
            : aligned.map { spectrum in
                zip(spectrum, middle).map { own, other in
                    let size = hypot(own.real, own.imaginary) / max(1e-30, hypot(other.real, other.imaginary))
                    return (size * other.real, size * other.imaginary)
                }
            }
        self.binHz = binHz
        binCount = bins
    }

    /// Returns the value of a bin below `binCount`, interpolated between angles at `place`.
    func value(_ bin: Int, at place: (lower: Int, part: Double)) -> (real: Double, imaginary: Double) {
        let (a, b) = (spectra[place.lower][bin], spectra[place.lower + 1][bin])
        return (a.real + place.part * (b.real - a.real), a.imaginary + place.part * (b.imaginary - a.imaginary))
    }

    /// Returns the position of an angle in radians, 0…π, in the table.
    func place(_ angle: Double) -> (lower: Int, part: Double) {
        let place = min(35.999999, max(0, angle / SphereTable.step))
        return (Int(place), place - place.rounded(.down))
    }

    /// Returns the bins between two frequencies in hertz; at least one bin.
    func bins(from low: Double, to high: Double) -> Range<Int> {
        let first = max(1, min(binCount - 1, Int((low / binHz).rounded(.up))))
        let last = min(binCount - 1, Int((high / binHz).rounded(.down)))
        // If no bin lies between the frequencies, the result is the bin nearest to their geometric mean.
        guard last >= first else {
            let nearest = max(1, min(binCount - 1, Int(((low * high).squareRoot() / binHz).rounded())))
            return nearest..<(nearest + 1)
        }
        return first..<(last + 1)
    }

    /// Returns the time from the arrival by Woodworth's formula to the sphere's detected onset, samples, for each
    /// angle.
    private static func onsetLag(of sphere: RigidSphere, sampleRate: Double, steps: Int) -> [Double] {
        let preroll = 32.0
        let taps = 256
        let rate = max(44_100, sampleRate)
        let table = sphere.alignedResponses(rateHz: rate, preroll: preroll, taps: taps, steps: steps)
        let transform = FourierTransform(minimumCount: 2 * taps)
        var detector = OnsetDetector(count: transform.count, sampleRate: rate)
        return table.map { response in
            var real = (0..<transform.count).map { $0 < taps ? Double(response[$0]) : 0 }
            var imaginary = [Double](repeating: 0, count: transform.count)
            transform.forward(&real, &imaginary)
            return (detector.onsets(real: real, imaginary: imaginary)[0].left - preroll) * sampleRate / rate
        }
    }
}
