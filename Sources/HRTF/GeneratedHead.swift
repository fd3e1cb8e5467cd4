import Geometry
import Glibc
import SOFA

/// A listener who was never measured: a rigid sphere with ears, shoulders and pinnae, in closed form.
///
/// - Head: Duda & Martens, "Range dependence of the response of a spherical head model", JASA 104 (1998); ears at
///   ±100°.
/// - Torso: one specular echo off a sphere of 16.9 cm below the head, after the snowman of Algazi, Duda & Duraiswami,
///   "Approximating the head-related transfer function using simple geometric models of the head and torso", JASA 112
///   (2002); its strength fades towards grazing incidence.
/// - Pinna: five echoes whose delays follow elevation, Brown & Duda, "A structural model for binaural sound synthesis",
///   IEEE Trans. Speech Audio Proc. 6 (1998), eq. 9 and table I; its delays are brought to rest towards the nadir, where
///   their formula jumps.
package struct GeneratedHead: Sendable {
    /// Samples per second of the written set.
    package static let sampleRate = 48_000.0
    /// Samples of each response.
    package static let sampleCount = 256
    /// Where the wave passes the head's centre, samples.
    static let centre = 40.0
    /// Samples are rounded to multiples of this (−126 dB), so that the file packs well.
    static let quantum: Float = 1 / Float(1 << 21)

    private let sphere = RigidSphere()
    private let transform = FourierTransform(minimumCount: 1024)
    private let torsoRadius = 0.169
    private let torsoCentre = SIMD3(0.0, 0.0, -(0.0875 + 0.053 + 0.169))
    private let torsoStrength = 0.35
    /// Strengths and delay parameters of the pinna's echoes; delays in samples at 44.1 kHz.
    private let pinnaStrength = [0.5, -1, 0.5, -0.25, 0.25]
    private let pinnaReach: [Double] = [1, 5, 5, 5, 5]
    private let pinnaOffset: [Double] = [2, 4, 7, 11, 13]
    private let pinnaRate = [1, 0.5, 0.5, 0.5, 0.5]

    /// The model; it has no parameters.
    package init() {}

    /// The directions of the set: a ring grid of 8°, 655 of them.
    package static var directions: [Direction<Head>] { RingGrid(stepDegrees: 8).directions(in: Head.self) }

    /// The whole set. Takes about half a second.
    package func set() -> FreeFieldHRIR {
        let directions = GeneratedHead.directions
        return FreeFieldHRIR(
            path: "generated", attributes: GeneratedHead.attributes, sampleRate: GeneratedHead.sampleRate,
            sampleCount: GeneratedHead.sampleCount, directions: directions,
            distances: [Double](repeating: 1.5, count: directions.count), responses: responses(directions),
            delays: [Double](repeating: 0, count: 2 * directions.count))
    }

    /// Responses for some directions, `[direction][ear][sample]`.
    package func responses(_ directions: [Direction<Head>]) -> [Float] {
        let bins = transform.count / 2 + 1
        let binHz = GeneratedHead.sampleRate / Double(transform.count)
        let ears = [100.0, -100].map { Direction<Head>(azimuthDegrees: $0, elevationDegrees: 0) }
        // The sphere's response at every half degree of incidence, once for all directions.
        let angles = (0...360).map { Double.pi * Double($0) / 360 }
        let cosines = angles.map { cos($0) }
        let table = (0..<bins).map { sphere.response(frequency: Double($0) * binHz, cosines: cosines) }
        var result: [Float] = []
        result.reserveCapacity(directions.count * 2 * GeneratedHead.sampleCount)
        for direction in directions {
            var spectra = EarSpectra(binCount: bins)
            for (side, ear) in ears.enumerated() {
                let place = min(359.999999, direction.angle(to: ear) / .pi * 360)
                let (lower, t) = (Int(place), place - place.rounded(.down))
                let echoes = pinna(direction)
                let (shoulderDelay, shoulder) = torso(direction, ear: ear.unit * sphere.radius)
                for bin in 0..<bins {
                    let omega = 2 * .pi * Double(bin) * binHz
                    let (a, b) = (table[bin][lower], table[bin][lower + 1])
                    let head = (a.real + t * (b.real - a.real), a.imaginary + t * (b.imaginary - a.imaginary))
                    // Echoes of the shoulders and of the pinna: 1 + Σ ρ·e^{−iωτ} each.
                    let body = (
                        1 + shoulder * cos(omega * shoulderDelay), -shoulder * sin(omega * shoulderDelay)
                    )
                    var outer = (1.0, 0.0)
                    for echo in echoes {
                        outer.0 += echo.strength * cos(omega * echo.delay)
                        outer.1 -= echo.strength * sin(omega * echo.delay)
                    }
                    let turn = -omega * GeneratedHead.centre / GeneratedHead.sampleRate
                    var value = product(product(head, body), product(outer, (cos(turn), sin(turn))))
                    let fade = max(0, min(1, (Double(bin) / Double(bins - 1) - 0.88) / 0.12))
                    let level = 0.5 * (1 + cos(.pi * fade))
                    value = (value.0 * level, value.1 * level)
                    spectra.real[side][bin] = value.0
                    spectra.imaginary[side][bin] = value.1
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

    /// Delays in seconds and strengths of the pinna's echoes. The lateral angle and the elevation about the
    /// interaural axis are Brown & Duda's θ and φ.
    private func pinna(_ direction: Direction<Head>) -> [(delay: Double, strength: Double)] {
        let unit = direction.unit
        let lateral = asin(max(-1, min(1, unit.y)))
        // −90° below, 0 front, 90° above, 180° behind, up to 270°; at the poles of the axis the angle has no meaning.
        var elevation = atan2(unit.z, unit.x) * 180 / .pi
        if elevation < -90 { elevation += 360 }
        let fromNadir = min(elevation + 90, 270 - elevation)
        let u = max(0, min(1, fromNadir / 40))
        let rest = u * u * (3 - 2 * u)
        // cos(θ/2) is 0.7 on the axis itself: faded out there too, since φ spins.
        let v = max(0, min(1, (1 - abs(unit.y)) / 0.1))
        let axis = v * v * (3 - 2 * v)
        return pinnaStrength.indices.map { k in
            let swing = sin(pinnaRate[k] * (90 - elevation) * .pi / 180) * rest * axis
            let samples = pinnaReach[k] * cos(lateral / 2) * swing + pinnaOffset[k]
            return (max(0, samples) / 44_100, pinnaStrength[k])
        }
    }

    /// Extra delay in seconds and strength of the torso's echo at an ear (metres from the head's centre): the specular
    /// point is where the angles to the source and to the ear are equal, found by bisection.
    private func torso(_ direction: Direction<Head>, ear: SIMD3<Double>) -> (delay: Double, strength: Double) {
        let source = direction.unit
        let fromTorso = ear - torsoCentre
        let distance = (fromTorso * fromTorso).sum().squareRoot()
        let towards = fromTorso / distance
        let opening = acos(max(-1, min(1, (source * towards).sum())))
        // In the plane of source and ear: along the source, and across it towards the ear.
        let across = towards - source * (source * towards).sum()
        let length = (across * across).sum().squareRoot()
        let side = length > 1e-9 ? across / length : SIMD3(0, 0, 0)
        var (low, high) = (0.0, opening)
        var normal = source
        for _ in 0..<50 {
            let angle = (low + high) / 2
            normal = source * cos(angle) + side * sin(angle)
            let toEar = fromTorso - normal * torsoRadius
            let size = (toEar * toEar).sum().squareRoot()
            let outgoing = acos(max(-1, min(1, (toEar * normal).sum() / size)))
            // Towards the ear's own axis the outgoing angle shrinks.
            if outgoing > angle { low = angle } else { high = angle }
        }
        let incidence = (low + high) / 2
        let point = normal * torsoRadius
        let toEar = fromTorso - point
        let path = (toEar * toEar).sum().squareRoot() + (source * (fromTorso - point)).sum()
        let grazing = max(0, cos(incidence))
        return (max(0, path) / RigidSphere.speedOfSound, torsoStrength * grazing.squareRoot() * grazing)
    }

    private func product(_ a: (Double, Double), _ b: (Double, Double)) -> (Double, Double) {
        (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
    }

    /// What the file says about itself.
    static let attributes = [
        "Title": "Proscenium generated head",
        "DatabaseName": "Proscenium",
        "ListenerShortName": "generated",
        "ListenerDescription": "Rigid sphere of 8.75 cm with torso and pinna echoes; nobody was measured",
        "License": "CC0 1.0 Universal (public domain dedication)",
        "Organization": "Proscenium",
        "AuthorContact": "the Proscenium project",
        "References": "Duda & Martens 1998; Brown & Duda 1998; Algazi, Duda & Duraiswami 2002",
        "Comment": "Made by `proscenium hrtf generate`",
        "Origin": "computed",
        "ApplicationName": "proscenium",
    ]
}
