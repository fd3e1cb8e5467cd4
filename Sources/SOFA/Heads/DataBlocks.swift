import CHDF5

/// One variable of the data, read a block of measurements at a time, so that memory holds no second copy of it.
///
/// Not sendable: one thread at a time; the file must outlive it.
final class DataBlocks {
    let name: String
    let shape: [Int]
    private let file: HDF5File
    private let dataset: hid_t

    /// The most values of a block: 8 MB.
    private static let mostValues = 1 << 21

    /// Opens and checks a variable of at most `most` values. All checks of its storage are made here, before any memory
    /// is taken.
    init(_ name: String, of file: HDF5File, most: Int = HDF5File.largestCount) throws(SOFAError) {
        (self.name, self.file) = (name, file)
        (dataset, shape) = try file.openForSlicing(name, most: most)
    }

    deinit { H5Dclose(dataset) }

    /// Calls `body` with one measurement's values after the other, row-major, as single precision. `other`: a variable of
    /// the same shape to be read alongside; its values come third, else an empty slice.
    func forEachMeasurement(
        with other: DataBlocks? = nil,
        _ body: (_ measurement: Int, _ values: ArraySlice<Float>, _ others: ArraySlice<Float>) throws(SOFAError) -> Void
    ) throws(SOFAError) {
        let size = shape.dropFirst().reduce(1, *)
        let step = max(1, DataBlocks.mostValues / max(1, size))
        var start = 0
        while start < shape[0] {
            let count = min(step, shape[0] - start)
            let block = try values(from: start, count: count)
            let otherBlock = try other?.values(from: start, count: count)
            for row in 0..<count {
                let range = (row * size)..<((row + 1) * size)
                try body(start + row, block[range], otherBlock?[range] ?? [])
            }
            start += count
        }
    }

    /// The values of `count` measurements, row-major, as single precision.
    func values(from start: Int, count: Int) throws(SOFAError) -> [Float] {
        var origin = [Int](repeating: 0, count: shape.count)
        var extent = shape
        (origin[0], extent[0]) = (start, count)
        return try file.slice(dataset, name, start: origin, count: extent)
    }
}
