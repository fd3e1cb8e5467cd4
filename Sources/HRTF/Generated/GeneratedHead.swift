import Geometry
import Glibc
import SOFA

/// A computed head without measured responses: a rigid sphere, a torso and outer ears. The ears are points on the
/// sphere.
///
/// - Head: Duda & Martens, "Range dependence of the response of a spherical head model", JASA 104 (1998); ears at
///   ±92.5°, 8° below the centre (behind and below the centre also in Algazi, Avendano & Duda, "Estimation of a
///   spherical-head model from anthropometry", JAES 49 (2001)).
/// - Torso: `Torso`; outer ear: `OuterEar`. As in Brown & Duda, "A structural model for binaural sound synthesis", IEEE
///   Trans. Speech Audio Proc. 6 (1998), these parts are in series.
///
/// The model was fitted to six heads and tested with eight others: `Documentation/explanation/generated-head.md`.
package struct GeneratedHead: Sendable {
    /// Sample rate of the written set, hertz.
    package static let sampleRate = 48_000.0
    /// Number of samples in each response.
    package static let sampleCount = 256
    /// Sample at which the wave passes the head's centre.
    static let centre = 40.0
    /// Samples are rounded to multiples of this (−126 dB), so that the file can be compressed well.
    static let quantum: Float = 1 / Float(1 << 21)

    private let sphere = RigidSphere()
    private let transform = FourierTransform(minimumCount: 1024)
    private let torso = Torso()
    private let outerEar = OuterEar()
    /// Direction of the left ear from the head's centre; the right ear is its mirror image.
    private let ear = Direction<Head>(azimuthDegrees: 92.5, elevationDegrees: -8).unit

    /// Creates the model; it has no parameters.
    package init() {}

    /// Directions of the set: 686 points of a ring grid whose rings are 7.83° apart (at most 8°).
    package static var directions: [Direction<Head>] { RingGrid(stepDegrees: 8).directions(in: Head.self) }

    /// Returns the whole set. Takes about half a second.
    package func set() -> FreeFieldHRIR {
        let directions = GeneratedHead.directions
        return FreeFieldHRIR(
            path: "generated", attributes: GeneratedHead.attributes, sampleRate: GeneratedHead.sampleRate,
            sampleCount: GeneratedHead.sampleCount, directions: directions,
            distances: [Double](repeating: 1.5, count: directions.count), responses: responses(directions),
            delays: [Double](repeating: 0, count: 2 * directions.count))
    }

    /// Returns the responses for given directions, `[direction][ear][sample]`.
    package func responses(_ directions: [Direction<Head>]) -> [Float] {
        let bins = transform.count / 2 + 1
        let binHz = GeneratedHead.sampleRate / Double(transform.count)
        // The sphere's response at every half degree of incidence, once for all directions.
        let angles = (0...360).map { Double.pi * Double($0) / 360 }
        let cosines = angles.map { cos($0) }
        let table = (0..<bins).map { sphere.response(frequency: Double($0) * binHz, cosines: cosines) }
        var result: [Float] = []
        result.reserveCapacity(directions.count * 2 * GeneratedHead.sampleCount)
        for direction in directions {
            var spectra = EarSpectra(binCount: bins)
            for side in 0..<2 {
                // The direction in this ear's axes, in which y points out of the ear's own side.
                let unit = direction.unit * SIMD3(1, side == 0 ? 1 : -1, 1)
                let place = min(359.999999, acos(max(-1, min(1, (unit * ear).sum()))) / .pi * 360)
                let (lower, t) = (Int(place), place - place.rounded(.down))
                let sections = outerEar.sections(unit) + torso.sections(unit)
                let echo = torso.echo(unit, ear: ear * sphere.radius)
                for bin in 0..<bins {
                    let frequency = Double(bin) * binHz
                    let omega = 2 * .pi * frequency
                    let (a, b) = (table[bin][lower], table[bin][lower + 1])
                    var value = (a.real + t * (b.real - a.real), a.imaginary + t * (b.imaginary - a.imaginary))
                    // 1 + ρ·e^{−iωτ}
                    let (c, s) = (cos(omega * echo.delay), sin(omega * echo.delay))
                    value = product(value, (1 + echo.strength * c, -echo.strength * s))
                    for section in sections { value = product(value, section.response(at: frequency)) }
                    let turn = -omega * GeneratedHead.centre / GeneratedHead.sampleRate
                    value = product(value, (cos(turn), sin(turn)))
                    let fade = max(0, min(1, (Double(bin) / Double(bins - 1) - 0.88) / 0.12))
                    let level = 0.5 * (1 + cos(.pi * fade))
                    spectra.real[side][bin] = value.0 * level
                    spectra.imaginary[side][bin] = value.1 * level
                }
            }
            var real = [Double](repeating: 0, count: transform.count)
            var imaginary = real
            spectra.combine(&real, &imaginary)
            transform.inverse(&real, &imaginary)
            for signal in [real, imaginary] {
                for i in 0..<GeneratedHead.sampleCount {
                    let end = Double(i - (GeneratedHead.sampleCount - 32)) / 32
                    let fade = end < 0 ? 1 : 0.5 * (1 + cos(.pi * end))
                    let value = Float(signal[i] * fade) / GeneratedHead.quantum
                    result.append(value.rounded() * GeneratedHead.quantum)
                }
            }
        }
        return result
    }

    private func product(_ a: (Double, Double), _ b: (Double, Double)) -> (Double, Double) {
        (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
    }

    /// Attributes of the written file.
    static let attributes = [
        "Title": "Proscenium generated head",
        "DatabaseName": "Proscenium",
        "ListenerShortName": "generated",
        "ListenerDescription": "Rigid sphere of 8.75 cm with torso and outer ears; no ear was measured",
        "License": "CC0 1.0 Universal (public domain dedication)",
        "Organization": "Proscenium",
        "AuthorContact": "the Proscenium project",
        "References":
            "Duda & Martens 1998; Brown & Duda 1998; Algazi, Duda & Duraiswami 2002; Shaw 1974; Iida et al. 2007; "
            + "Spagnol, Geronazzo & Avanzini 2013",
        "Comment": "Made by `proscenium hrtf generate`",
        "Origin": "computed",
        "ApplicationName": "proscenium",
    ]
}
