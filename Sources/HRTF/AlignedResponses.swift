import Geometry
import Glibc

/// What is done to every response of a set between its file and the grid.
struct ResponsePlan: Sendable {
    /// Points of the spectra worked on: a power of two, at least twice the response.
    var transformCount: Int
    /// Sample at which all onsets are put.
    var preroll: Int
    /// Samples kept.
    var taps: Int
    /// Whether the ends are faded; not where every stored sample is to stay.
    var isFaded: Bool
    /// Common filter, bins 0…n/2; nil for none.
    var equaliser: [(real: Double, imaginary: Double)]?
    /// What replaces the lowest frequencies; nil to keep them.
    var bass: SphereBass?
    /// Common filter behind both, that takes back what joining and trimming did to the diffuse field; nil for none.
    var finish: [(real: Double, imaginary: Double)]?
    /// Linear gain.
    var gain = 1.0
}

extension MeasuredSet {
    /// Responses with their onsets at `plan.preroll`, processed and cut: `[direction][ear][tap]` for the given
    /// directions. O(directions · n log n), in parallel.
    func aligned(_ plan: ResponsePlan, _ alignment: Alignment, of indices: [Int]) -> [Float] {
        let n = plan.transformCount
        var rows = [Float](repeating: 0, count: indices.count * 2 * plan.taps)
        let window = plan.window
        rows.withUnsafeMutableBufferPointer { rows in
            let rows = rows
            inParallel(indices.count, chunk: max(1, indices.count / 16)) { range in
                let transform = FourierTransform(minimumCount: n)
                var real = [Double](repeating: 0, count: n)
                var imaginary = real
                var ears = EarSpectra(binCount: n / 2 + 1)
                for place in range {
                    let index = indices[place]
                    load(index, &real, &imaginary)
                    transform.forward(&real, &imaginary)
                    ears.separate(real, imaginary)
                    for ear in 0..<2 {
                        let onset = alignment.onsets[2 * index + ear] - delays[2 * index + ear]
                        ears.advance(ear, by: onset - Double(plan.preroll), of: n)
                        if let equaliser = plan.equaliser { ears.filter(ear, by: equaliser) }
                        if let bass = plan.bass {
                            bass.replace(in: &ears, ear: ear, angle: directions[index].incidence(ear: ear))
                        }
                        if let finish = plan.finish { ears.filter(ear, by: finish) }
                    }
                    ears.combine(&real, &imaginary)
                    transform.inverse(&real, &imaginary)
                    let row = place * 2 * plan.taps
                    for i in 0..<plan.taps {
                        rows[row + i] = Float(real[i] * window[i] * plan.gain)
                        rows[row + plan.taps + i] = Float(imaginary[i] * window[i] * plan.gain)
                    }
                }
            }
        }
        return rows
    }
}

extension MeasuredSet {
    /// The set's level at 300…600 Hz re a sphere's, negative where it runs against it: some are stored upside down.
    func level(_ plan: ResponsePlan, _ alignment: Alignment, against bass: SphereBass) -> Double {
        let transform = FourierTransform(minimumCount: plan.transformCount)
        var real = [Double](repeating: 0, count: plan.transformCount)
        var imaginary = real
        var ears = EarSpectra(binCount: plan.transformCount / 2 + 1)
        var (product, measured, modelled) = (0.0, 0.0, 0.0)
        for index in stride(from: 0, to: directions.count, by: max(1, directions.count / 60)) {
            load(index, &real, &imaginary)
            transform.forward(&real, &imaginary)
            ears.separate(real, imaginary)
            for ear in 0..<2 {
                let onset = alignment.onsets[2 * index + ear] - delays[2 * index + ear]
                ears.advance(ear, by: onset - Double(plan.preroll), of: plan.transformCount)
                if let equaliser = plan.equaliser { ears.filter(ear, by: equaliser) }
                let part = bass.comparison(ears, ear: ear, angle: directions[index].incidence(ear: ear))
                product += part.product
                measured += part.measured
                modelled += part.modelled
            }
        }
        let level = (measured / max(1e-30, modelled)).squareRoot()
        return product < 0 ? -level : level
    }
}

extension Direction<Head> {
    /// The angle between this direction and an ear of the model (0 left, 1 right), radians.
    func incidence(ear: Int) -> Double {
        let side = ear == 0 ? Alignment.earAzimuthDegrees : -Alignment.earAzimuthDegrees
        return angle(to: Direction(azimuthDegrees: side, elevationDegrees: 0))
    }
}

extension ResponsePlan {
    /// Half a cosine over the first half of the preroll and over the last sixth.
    var window: [Double] {
        guard isFaded else { return [Double](repeating: 1, count: taps) }
        let (rise, fall) = (preroll / 2, taps / 6)
        return (0..<taps).map { i in
            if i < rise { return 0.5 * (1 - cos(.pi * (Double(i) + 0.5) / Double(rise))) }
            if i >= taps - fall { return 0.5 * (1 + cos(.pi * (Double(i - taps + fall) + 0.5) / Double(fall))) }
            return 1
        }
    }
}
