import CHDF5

/// One variable of the data, read a block of measurements at a time, so that memory holds no second copy of it.
///
/// Blocks are whole rows of chunks: each chunk is unpacked once, and none is kept.
///
/// Not sendable: one thread at a time; the file must outlive it.
final class DataBlocks {
    let name: String
    let shape: [Int]
    private let file: HDF5File
    private let dataset: hid_t
    /// Measurements that lie in one chunk; 1 where there are no chunks.
    private let chunkRows: Int

    /// The values of a block, unless one row of chunks has more: 8 MB.
    private static let blockValues = 1 << 21

    /// Opens and checks a variable of at most `most` values. All checks of its storage are made here, before any memory
    /// is taken.
    init(_ name: String, of file: HDF5File, most: Int = HDF5File.largestCount) throws(SOFAError) {
        (self.name, self.file) = (name, file)
        (dataset, shape) = try file.openForSlicing(name, most: most, cache: 0)
        let plan = H5Dget_create_plist(dataset)
        defer { H5Pclose(plan) }
        var chunk = [hsize_t](repeating: 1, count: 8)
        let isChunked = H5Pget_layout(plan) == H5D_CHUNKED && H5Pget_chunk(plan, 8, &chunk) > 0
        chunkRows = isChunked ? max(1, Int(min(chunk[0], hsize_t(max(1, shape.first ?? 1))))) : 1
    }

    deinit { H5Dclose(dataset) }

    /// Calls `body` with one measurement's values after the other, row-major, as single precision. `other`: a variable of
    /// the same shape to be read alongside; its values come third, else an empty slice.
    func forEachMeasurement(
        with other: DataBlocks? = nil,
        _ body: (_ measurement: Int, _ values: ArraySlice<Float>, _ others: ArraySlice<Float>) throws(SOFAError) -> Void
    ) throws(SOFAError) {
        let size = shape.dropFirst().reduce(1, *)
        let rows = max(chunkRows, other?.chunkRows ?? 1)
        let step = rows * max(1, DataBlocks.blockValues / max(1, size * rows))
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
