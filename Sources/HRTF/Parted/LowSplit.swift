import CKernels
import Convolution
import Glibc
import Signal

/// Distributes the low part of responses over the parts of a filter (`FilterForm`): its low parts, and its main part,
/// which plays the remainder.
///
/// A part of the form has a small number of bins. Energy above these bins is lost, and the error would spread over the
/// whole transform. So each part begins earlier, with additional samples that minimise the energy above its bins. The
/// additional samples are the solution of a linear system that is the same for all responses. The preceding part
/// subtracts them. With 30 additional samples at 48 kHz, the energy above the bins is −100 dB of a response's.
struct LowSplit: Sendable {
    /// One low part of the form.
    private struct Part: Sendable {
        /// Range of the additional samples, as positions in an aligned response, and end of the part.
        let free: Range<Int>
        let end: Int
        /// Position at which the part's filter begins.
        let offset: Int
        /// Weights that give the additional samples from the part's samples, `[sample from free.upperBound on][free
        /// sample]`.
        let matrix: [Float]
    }
    private let parts: [Part]
    /// Largest number of additional samples, and diagonal load that keeps the linear system well-conditioned.
    private static let mostFree = 96
    private static let ridge = 1e-10

    /// Computes the division for responses whose low part ends at sample `end` of an aligned response.
    init(_ form: FilterForm, _ extent: FilterForm.Extent, end: Int) {
        // Frequency just above the outermost kept bin, cycles per sample.
        let edge = (Double(16 * form.lowChunks) - 0.5) / Double(form.length)
        func energy(_ lag: Int) -> Double {
            lag == 0 ? 1 - 2 * edge : -sin(2 * .pi * edge * Double(lag)) / (.pi * Double(lag))
        }
        parts = form.lowOffsets.enumerated().map { number, offset in
            let before = number == 0 ? 0 : form.lowOffsets[number - 1]
            let taken = before + form.capacity - extent.spread - extent.lead
            let free = max(0, offset - extent.lead, taken - LowSplit.mostFree)..<taken
            let next = number + 1 < form.lowOffsets.count ? offset + form.capacity - extent.spread - extent.lead : end
            let count = max(0, max(next, taken) - taken)
            let size = free.count
            let square = (0..<(size * size)).map { place -> Double in
                let lag = place / size - place % size
                return lag < 0 ? 0 : energy(lag) + (lag == 0 ? LowSplit.ridge : 0)
            }
            let factor = CholeskyFactor(lower: square, count: size)
            var matrix = [Float](repeating: 0, count: count * free.count)
            var values = [Double](repeating: 0, count: free.count)
            for sample in 0..<count {
                for row in values.indices { values[row] = -energy(free.count - row + sample) }
                factor.solve(&values)
                for row in values.indices { matrix[sample * free.count + row] = Float(values[row]) }
            }
            return Part(free: free, end: taken + count, offset: offset, matrix: matrix)
        }
    }

    /// Moves the samples that belong to low part `number` from a low row (samples of an aligned response) to `target`,
    /// whose first sample is the one at the part's offset. Call it for the last part first, and so on down to the
    /// first.
    func take(_ number: Int, from row: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>) {
        let part = parts[number]
        let (first, count) = (part.free.upperBound, part.end - part.free.upperBound)
        guard count > 0 else { return }
        part.matrix.withUnsafeBufferPointer { matrix in
            guard let base = matrix.baseAddress else { return }
            withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: count) { columns in
                for column in 0..<count { columns.initializeElement(at: column, to: base + column * part.free.count) }
                withUnsafeTemporaryAllocation(of: Float.self, capacity: part.free.count) { samples in
                    prk_blend(part.free.count, count, columns.baseAddress, row + first, samples.baseAddress)
                    for place in 0..<part.free.count {
                        let sample = part.free.lowerBound + place
                        row[sample] -= samples[place]
                        if sample >= part.offset { target[sample - part.offset] = samples[place] }
                    }
                }
            }
        }
        for sample in first..<part.end {
            target[sample - part.offset] = row[sample]
            row[sample] = 0
        }
    }
}
