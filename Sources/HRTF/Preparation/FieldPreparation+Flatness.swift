import Geometry
import Glibc

// The last correction of the diffuse field: it corrects what interpolation changes.
extension FieldPreparation {
    /// Deviation of a third of an octave of the interpolated field from flat, dB, above which the field is corrected.
    /// Smaller deviations remain.
    private static let tolerableRest = 0.7
    /// Largest correction, dB.
    private static let largestRest = 3.0
    /// Least number of points of the grid at which the field is measured; all of them if there are fewer.
    private static let pointsMeasured = 1500

    /// Returns the correction of the diffuse field on a grid, a common filter of minimum phase, bins 0…n/2; nil if the
    /// field is flat enough. Levels between a set's directions differ from the levels at these directions, which
    /// `finish` made flat. Only directions at and above the lowest measured one are evaluated.
    func correction(
        of responses: [Float], taps: Int, on grid: RingGrid, plan: ResponsePlan
    ) -> [(real: Double, imaginary: Double)]? {
        let lowest = (set.directions.map(\.elevation).min() ?? -.pi / 2) - 1e-6
        let points = grid.directions(in: Head.self).enumerated().filter { $1.elevation >= lowest }.map(\.offset)
        let angles = grid.solidAngles
        let count = plan.transformCount
        let transform = FourierTransform(minimumCount: count)
        var power = [Double](repeating: 0, count: count / 2 + 1)
        var real = [Double](repeating: 0, count: count)
        var imaginary = real
        for place in stride(from: 0, to: points.count, by: max(1, points.count / Self.pointsMeasured)) {
            let row = 2 * points[place] * taps
            for i in 0..<count {
                real[i] = i < taps ? Double(responses[row + i]) : 0
                imaginary[i] = i < taps ? Double(responses[row + taps + i]) : 0
            }
            transform.forward(&real, &imaginary)
            DiffuseField.add(&power, real, imaginary, weight: angles[points[place]])
        }
        let field = DiffuseField(power: power, binHz: set.sampleRate / Double(count))
        guard abs(field.largestDeviation.decibels) > Self.tolerableRest else { return nil }
        // Between the centres of the bands the gain in dB is interpolated linearly, so that a steep end of the field
        // does not raise a whole band.
        let levels = field.thirds()
        let octave = levels.map { log2($0.frequency) }
        return MinimumPhase.spectrum(
            decibels: field.power.indices.map { bin in
                let place = log2(max(1, Double(bin) * field.binHz))
                let next = octave.firstIndex { $0 > place } ?? octave.count
                let (low, high) = (max(0, next - 1), min(octave.count - 1, next))
                let share = low == high ? 0 : (place - octave[low]) / (octave[high] - octave[low])
                let level = levels[low].decibels + share * (levels[high].decibels - levels[low].decibels)
                // At low frequencies interpolation hardly changes levels. The correction begins at 200 Hz and is
                // complete from 400 Hz.
                return -max(0, min(1, place - log2(200))) * max(-Self.largestRest, min(Self.largestRest, level))
            })
    }
}
