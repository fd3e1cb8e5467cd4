import Geometry
import Glibc
import HRTF
import Signal

/// Design of filters from an array directly to two channels, each as close to a wanted response as the capsules permit.
///
/// The filters are not derived from the sound field, because a fit of the capsules to one pattern holds up to higher
/// frequencies than a fit to the four spherical harmonics. Complex values are fitted up to a frequency limit. Above the
/// limit only magnitudes are fitted, with the phases that the weights of the next lower bin produce (magnitude least
/// squares: Schörkhuber, Zaunschirm & Höldrich, DAGA 2018; Zotter & Frank, "Ambisonics", §4.11). Errors are weighted
/// relative to the wanted power of their direction. Errors near the horizontal plane have the greatest weight, because
/// this plane matters most for stereo.
struct RenditionDesign {
    /// Iterations per bin in the fit of magnitudes.
    private static let projections = 12
    /// Power that is added to the wanted power of each direction when the weight of the direction's error is computed,
    /// relative to the mean power.
    private static let floor = 1.0
    /// Tikhonov term, the same as in `FieldEncoder`.
    private static let regularisation = 3e-4

    private let responses: ArrayResponses
    private let directions: [Direction<Stage>]
    private let areas: [Double]

    init(_ responses: ArrayResponses) {
        self.responses = responses
        let grid = GaussGrid(exactTo: 26)
        directions = grid.directions(in: Stage.self)
        // The weight at 20° above or below the horizontal plane is two fifths of the weight on it.
        let bell = directions.map { exp(-pow($0.elevation / (20 * .pi / 180), 2)) }
        areas = zip(grid.weights, bell).map { $0 * (0.05 + 0.95 * $1) }
    }

    /// Designs filters for the left and right microphone. Phases of spaced microphones are fitted only up to 350 Hz.
    /// Above this frequency, a fit of the phases with four capsules at a much smaller spacing would change the patterns
    /// by more than 1 dB.
    func filters(_ microphones: [StereoRendition.Microphone]) -> ArrayFilters {
        let phase = microphones.allSatisfy { $0.position == SIMD3() } ? 1000.0 : 350
        let wanted = microphones.map { microphone in
            { (bin: Int) -> (real: [Double], imaginary: [Double]) in
                let k = 2 * .pi * responses.frequency(bin) / ArrayResponses.speedOfSound
                let values = directions.map { direction -> SIMD2<Double> in
                    let gain = microphone.pressure + (microphone.axis * direction.unit).sum()
                    let angle = k * (microphone.position * direction.unit).sum()
                    return SIMD2(gain * cos(angle), gain * sin(angle))
                }
                return (values.map(\.x), values.map(\.y))
            }
        }
        return ArrayFilters(
            wanted.map { weights($0, phase: phase, level: .middle) }, inputs: responses.capsuleCount,
            length: responses.length)
    }

    /// Designs filters for the two ears of an HRTF set whose front is the front of the scene.
    func filters(_ field: FilterField) -> ArrayFilters {
        let n = responses.length
        let transform = FourierTransform(minimumCount: n)
        var ears = [[[SIMD2<Double>]]](repeating: [], count: 2)
        for direction in directions {
            let (left, right) = field.responses(Direction<Head>(unit: direction.unit))
            for (ear, response) in [left, right].enumerated() {
                ears[ear].append(spectrum(response, transform, advance: field.onsetFrames))
            }
        }
        let all = ears
        let wanted = [0, 1].map { ear in
            { (bin: Int) -> (real: [Double], imaginary: [Double]) in
                (all[ear].map { $0[bin].x }, all[ear].map { $0[bin].y })
            }
        }
        return ArrayFilters(
            wanted.map { weights($0, phase: 1000, level: .power) }, inputs: responses.capsuleCount, length: n)
    }

    /// Returns bins 0…n/2 of a response that is advanced by `advance` samples. In the last eighth of the transform's
    /// length the response is faded out.
    private func spectrum(_ response: [Float], _ transform: FourierTransform, advance: Double) -> [SIMD2<Double>] {
        let n = transform.count
        var (real, imaginary) = ([Double](repeating: 0, count: n), [Double](repeating: 0, count: n))
        let ease = n / 8
        for i in 0..<min(n, response.count) {
            let fade = i < n - ease ? 1 : 0.5 + 0.5 * cos(.pi * Double(i - n + ease) / Double(ease))
            real[i] = fade * Double(response[i])
        }
        transform.forward(&real, &imaginary)
        return (0...(n / 2)).map { bin in
            let angle = 2 * .pi * Double(bin) * advance / Double(n)
            return SIMD2(real[bin], imaginary[bin]).times(SIMD2(cos(angle), sin(angle)))
        }
    }

    /// Rule for a channel's level in each bin.
    private enum Level {
        /// The power over all directions is the wanted power.
        case power
        /// Near the horizontal plane the greatest excess and the greatest deficit in dB are equal.
        case middle
    }

    /// Returns the gain to the wanted power, linear, at most 6 dB.
    private func powerGain(
        _ fit: ResponseFit, _ heard: (real: [Double], imaginary: [Double]), _ power: [Double], _ shares: [Double]
    ) -> Double {
        let due = zip(power, shares).reduce(0) { $0 + $1.0 * $1.1 }
        return min(2, (due / max(fit.power(heard), 1e-12)).squareRoot())
    }

    /// Returns the gain, linear, at which the greatest excess and the greatest deficit in dB are equal. Only directions
    /// within 15° of the horizontal plane are considered, and only those whose wanted level is within 12 dB of the
    /// greatest. The gain is at most 6 dB, and 1 if the channel is silent.
    private func middleGain(_ heard: (real: [Double], imaginary: [Double]), _ power: [Double]) -> Double {
        let least = (power.max() ?? 0) / 16
        var (lowest, highest) = (Double.infinity, 0.0)
        for i in power.indices where power[i] >= least && abs(directions[i].elevation) < 15 * .pi / 180 {
            let ratio = (heard.real[i] * heard.real[i] + heard.imaginary[i] * heard.imaginary[i]) / max(power[i], 1e-12)
            (lowest, highest) = (min(lowest, ratio), max(highest, ratio))
        }
        guard highest > 0 else { return 1 }
        return min(2, pow(max(lowest, highest / 1e4) * highest, -0.25))
    }

    /// Returns the weights of one channel, bin by bin in ascending order. Above `phase` Hz only magnitudes are fitted.
    private func weights(
        _ wanted: (Int) -> (real: [Double], imaginary: [Double]), phase: Double, level: Level
    ) -> [ResponseFit.Weights] {
        var all: [ResponseFit.Weights] = []
        for bin in 0..<responses.binCount {
            var (real, imaginary) = wanted(bin)
            let power = zip(real, imaginary).map { $0 * $0 + $1 * $1 }
            let mean = zip(power, areas).reduce(0) { $0 + $1.0 * $1.1 } / areas.reduce(0, +)
            let shares = zip(power, areas).map { $1 * mean / ($0 + Self.floor * mean + 1e-15) }
            let fit = ResponseFit(
                responses, bin: bin, directions: directions, shares: shares, regularisation: Self.regularisation)
            let system = fit.system(quadrature: 1)
            var found = all.last ?? fit.solve(system, quadrature: 1, real: real, imaginary: imaginary)
            if responses.frequency(bin) <= phase || all.isEmpty {
                found = fit.solve(system, quadrature: 1, real: real, imaginary: imaginary)
            } else {
                for _ in 0..<Self.projections {
                    let heard = fit.output(found)
                    for i in power.indices {
                        let (a, b) = (heard.real[i], heard.imaginary[i])
                        let scale = power[i].squareRoot() / max(1e-12, (a * a + b * b).squareRoot())
                        (real[i], imaginary[i]) = (a * scale, b * scale)
                    }
                    found = fit.solve(system, quadrature: 1, real: real, imaginary: imaginary)
                }
            }
            let heard = fit.output(found)
            let gain = level == .power ? powerGain(fit, heard, power, shares) : middleGain(heard, power)
            found.real = found.real.map { $0 * gain }
            found.imaginary = found.imaginary.map { $0 * gain }
            all.append(found)
        }
        return all
    }
}
