import Gate
import Geometry
import Glibc

extension Alignment {
    /// Standard deviation of the Gaussian that smooths arrivals over directions, radians. It is larger than the spacing
    /// of dense sets, so that errors of single directions average out, and smaller than the angles over which the
    /// arrivals at a head vary.
    private static let arrivalWidth = 12 * Double.pi / 180
    /// Spacing of the grid points at which the directions are averaged, degrees.
    private static let gatheringStep = 6.0

    /// Returns the onsets with unchanged interaural differences, and with the mean of both ears smoothed over
    /// directions: `[direction][ear]`, samples at the set's rate.
    ///
    /// If the distance between loudspeaker and head was a little smaller in one direction, sound arrived early at both
    /// ears. Such steps between neighbouring directions (60 µs in some sets) are errors of the measurement, and make a
    /// moving source sound rough. The difference between the mean of both ears and that of the rigid-sphere model is
    /// smoothed. O(directions · points), in parallel.
    func smoothedOnsets(_ set: MeasuredSet) -> [Double] {
        let arrivals = set.directions.indices.map { 0.5 * (onsets[2 * $0] + onsets[2 * $0 + 1]) }
        let changes = changes(smoothing: arrivals, of: set)
        return onsets.indices.map { onsets[$0] + changes[$0 / 2] }
    }

    /// Returns the change of each direction's arrival that makes the arrivals smooth, samples.
    private func changes(smoothing arrivals: [Double], of set: MeasuredSet) -> [Double] {
        let means = zip(set.directions, arrivals).map { direction, arrival -> Double in
            let modelled = model(direction)
            return arrival - 0.5 * (modelled.left + modelled.right) * set.sampleRate
        }
        let points = Self.gathered(means, at: set.directions)
        let sharpness = 1 / (Self.arrivalWidth * Self.arrivalWidth)
        var changes = [Double](repeating: 0, count: means.count)
        changes.withUnsafeMutableBufferPointer { result in
            let result = result
            inParallel(means.count, chunk: max(1, means.count / 16)) { range in
                for index in range {
                    let here = set.directions[index].unit
                    var (sum, weights) = (0.0, 0.0)
                    for point in points {
                        // A Gaussian of the chord: von Mises and Fisher's distribution on the sphere.
                        let weight = exp(sharpness * ((here * point.unit).sum() - 1))
                        sum += weight * point.mean
                        weights += weight
                    }
                    result[index] = sum / weights - means[index]
                }
            }
        }
        return changes
    }

    /// Returns the mean of the values near each point of a grid; points without values are omitted. Dense regions
    /// therefore have no more weight than others.
    private static func gathered(
        _ values: [Double], at directions: [Direction<Head>]
    ) -> [(unit: SIMD3<Double>, mean: Double)] {
        let grid = RingGrid(stepDegrees: gatheringStep)
        var sums = [(unit: SIMD3<Double>, value: Double, count: Double)](
            repeating: (.zero, 0, 0), count: grid.count)
        for (direction, value) in zip(directions, values) {
            let ring = Int(
                clamping: ((direction.elevation + .pi / 2) / grid.step).rounded(), to: 0...grid.ringCount - 1)
            let turn = direction.azimuth / (2 * .pi)
            let place = Int(
                clamping: ((turn - turn.rounded(.down)) * Double(grid.counts[ring])).rounded(), to: 0...1 << 20)
            let index = grid.first[ring] + place % grid.counts[ring]
            sums[index] = (sums[index].unit + direction.unit, sums[index].value + value, sums[index].count + 1)
        }
        return sums.compactMap { sum in
            let length = (sum.unit * sum.unit).sum().squareRoot()
            return sum.count > 0 && length > 0 ? (sum.unit / length, sum.value / sum.count) : nil
        }
    }
}
