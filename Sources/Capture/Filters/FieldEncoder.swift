import Geometry
import Glibc
import Signal
import Soundstage

/// Filters from an array to a first-order sound field: W Y Z X, ACN and SN3D (AmbiX).
///
/// In each bin W is the weighted sum of capsules that is closest to 1 in all directions. Y, Z and X are fitted so that
/// their parts *in phase with W* are the components of the direction, because these parts determine the direction of
/// the intensity. Errors in quadrature with W have a weight of a fiftieth. A radius above zero mixes second-degree
/// components in; the fit moves most of them into quadrature. (At 5 kHz and a radius of 10 mm, the direction errs by
/// 10° with fits of complex values alone, and by 3.5° with these fits.) Then a gain of at most 6 dB gives each output
/// the power of its component in a diffuse field, like Gerzon's filters for coincidence ("The design of precisely
/// coincident microphone arrays for stereo and surround sound", AES convention 50, 1975). The rest follows Politis &
/// Gamper 2017 (see `ResponseFit`) and Zotter & Frank, "Ambisonics", §6.
package struct FieldEncoder: Sendable {
    /// Filters to W Y Z X.
    package let filters: ArrayFilters
    /// Letters of the outputs that the array does not resolve, for example `Z` for planar arrays. They are silent.
    package let silent: [String]
    /// Gain of the capsules' noise in the worst bin of each output, dB; −∞ for a silent output.
    package let noise: [Double]

    /// Letters of the outputs.
    package static let outputs = ["W", "Y", "Z", "X"]
    /// Weight of squared errors in quadrature with W.
    private static let quadrature = 0.02
    /// Tikhonov term t. Weights stay below 1/(2·√t) ≈ 29 dB.
    private static let regularisation = 3e-4
    /// Least proportion of an output's power that the wanted component must explain, in the best bin from 300 Hz to 3
    /// kHz. An output with less is silent.
    private static let observed = 0.5

    /// Designs filters for the responses of an array's capsules.
    ///
    /// - Throws: `nothingObserved` if not even the pressure can be resolved.
    package init(_ responses: ArrayResponses, array: String) throws(CaptureError) {
        let grid = GaussGrid(exactTo: 18)
        let directions = grid.directions(in: Stage.self)
        let shares = grid.weights
        let wanted = directions.map { [1, $0.unit.y, $0.unit.z, $0.unit.x] }
        let columns = (0..<4).map { output in wanted.map { $0[output] } }
        let zeros = [Double](repeating: 0, count: directions.count)
        let bins = responses.binCount
        var weights = [[ResponseFit.Weights]](repeating: [], count: 4)
        var explained = [Double](repeating: 0, count: 4)
        var noise = [Double](repeating: 0, count: 4)
        for bin in 0..<bins {
            var fit = ResponseFit(
                responses, bin: bin, directions: directions, shares: shares, regularisation: Self.regularisation)
            let pressure = fit.solve(fit.system(quadrature: 1), quadrature: 1, real: columns[0], imaginary: zeros)
            let heard = fit.output(pressure)
            let lengths = zip(heard.real, heard.imaginary).map { max(1e-12, ($0 * $0 + $1 * $1).squareRoot()) }
            fit.turn(
                cosines: zip(heard.real, lengths).map { $0 / $1 }, sines: zip(heard.imaginary, lengths).map { $0 / $1 })
            let system = fit.system(quadrature: Self.quadrature)
            for output in 0..<4 {
                var found = pressure
                if output > 0 { found = fit.solve(system, quadrature: Self.quadrature, real: columns[output]) }
                let values = fit.output(found)
                let power = fit.power(values)
                let due = output == 0 ? 1 : 1.0 / 3
                let match = zip(zip(values.real, columns[output]), shares).reduce(0) { $0 + $1.1 * $1.0.0 * $1.0.1 }
                if responses.frequency(bin) >= 300, responses.frequency(bin) <= 3000 {
                    explained[output] = max(explained[output], match * match / (due * max(power, 1e-9)))
                }
                let gain = min(2, (due / max(power, 1e-9)).squareRoot())
                found.real = found.real.map { $0 * gain }
                found.imaginary = found.imaginary.map { $0 * gain }
                noise[output] = max(noise[output], found.noise)
                weights[output].append(found)
            }
        }
        guard explained[0] >= Self.observed else { throw .nothingObserved(array: array) }
        let nothing = ResponseFit.Weights(
            real: [Double](repeating: 0, count: responses.capsuleCount),
            imaginary: [Double](repeating: 0, count: responses.capsuleCount))
        let isSilent = explained.map { $0 < Self.observed }
        for output in 0..<4 where isSilent[output] {
            weights[output] = [ResponseFit.Weights](repeating: nothing, count: bins)
            noise[output] = 0
        }
        silent = zip(Self.outputs, isSilent).filter(\.1).map(\.0)
        self.noise = noise.map { 10 * log10($0) }
        filters = ArrayFilters(weights, inputs: responses.capsuleCount, length: responses.length)
    }

    /// Creates gains for an encoded sound field in a device with an orientation, with the latency of filters of
    /// `tapCount` taps.
    package init(_ format: AmbisonicFormat, orientation: InputOrientation, tapCount: Int) {
        let turn = orientation.deviceToScene.quaternion
        // Columns are the inputs. Rows are W Y Z X of the scene.
        var gains = [[Double]](repeating: [Double](repeating: 0, count: 4), count: 4)
        for channel in 0..<4 {
            let place = format.place(ofChannel: channel)
            guard place.acn > 0 else {
                gains[0][channel] = place.gain
                continue
            }
            let axis = place.acn == 1 ? SIMD3(0.0, 1, 0) : place.acn == 2 ? SIMD3(0.0, 0, 1) : SIMD3(1.0, 0, 0)
            let turned = place.gain * turn.rotate(axis)
            (gains[1][channel], gains[2][channel], gains[3][channel]) = (turned.y, turned.z, turned.x)
        }
        filters = ArrayFilters(gains: gains, tapCount: tapCount)
        silent = []
        noise = [0, 0, 0, 0]
    }
}
