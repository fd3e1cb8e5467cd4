/// Stored responses in double precision, for some measurements or some of their emitters.
final class StoredRows {
    private let data: DataBlocks
    private let axes: EmitterAxes
    private let (samples, emitters): (Int, Int)
    /// Index of each row: measurement · emitters + emitter.
    private let places: [Int]

    /// Creates the rows for `places`, which must rise.
    init(_ file: HDF5File, _ name: String, axes: EmitterAxes, places: [Int]) throws(SOFAError) {
        data = try DataBlocks(name, of: file, keepsChunks: true)
        (self.axes, self.places) = (axes, places)
        (samples, emitters) = axes.counts(data.shape)
    }

    /// Returns the responses `[row][ear][sample]` of a range of rows.
    func values(_ rows: Range<Int>) throws(SOFAError) -> [Double] {
        var result: [Double] = []
        result.reserveCapacity(2 * samples * rows.count)
        var row = rows.lowerBound
        while row < rows.upperBound {
            // Consecutive rows are read together; with emitters, only those of one measurement.
            let first = places[row]
            var end = row + 1
            while end < rows.upperBound, places[end] == first + end - row,
                axes == .single || places[end] / emitters == first / emitters
            { end += 1 }
            result += try block(first, count: end - row)
            row = end
        }
        return result
    }

    private func block(_ first: Int, count: Int) throws(SOFAError) -> [Double] {
        let (m, e) = (first / emitters, first % emitters)
        switch axes {
        case .single: return try data.doubles(start: [first, 0, 0], count: [count, 2, samples])
        case .emittersLast:
            let values = try data.doubles(start: [m, 0, 0, e], count: [1, 2, samples, count])
            return (0..<count).flatMap { place in
                stride(from: place, to: values.count, by: count).lazy.map { values[$0] }
            }
        case .samplesLast:
            let values = try data.doubles(start: [m, 0, e, 0], count: [1, 2, count, samples])
            return (0..<count).flatMap { place in
                (0..<2).flatMap { ear in
                    let start = (ear * count + place) * samples
                    return values[start..<(start + samples)]
                }
            }
        }
    }
}
