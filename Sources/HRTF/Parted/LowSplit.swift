import CKernels
import Convolution
import Glibc
import Signal

/// Cuts responses' low part up for a form of filters: what each of the form's low parts plays, and the rest, which the
/// main part plays.
///
/// A low part keeps few bins, and what it had above them would spread over the whole transform. So each part begins
/// with samples of its own, before it takes over, that leave the least energy above its bins: of a linear system, alike
/// for all responses. The part before plays the difference. 30 samples of 48 kHz leave −100 dB of a response.
struct LowSplit: Sendable {
    /// One low part.
    private struct Part: Sendable {
        /// Samples of an aligned response that are free, and where the part ends.
        let free: Range<Int>
        let end: Int
        /// Sample at which the part's filter begins.
        let offset: Int
        /// `[sample from free.upperBound on][free sample]`.
        let matrix: [Float]
    }
    private let parts: [Part]
    /// The largest number of samples that are free, and what keeps their system well-conditioned.
    private static let mostFree = 96
    private static let ridge = 1e-10

    /// For responses whose low part ends at sample `end` of an aligned response.
    init(_ form: FilterForm, _ extent: FilterForm.Extent, end: Int) {
        // Beyond the outermost bin that is kept, cycles per sample.
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

    /// Takes what low part `number` plays out of a low row (samples of an aligned response) and writes it to `target`,
    /// from the part's offset on; parts are taken from the last to the first.
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
