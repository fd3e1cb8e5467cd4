import CHDF5

/// A variable of the data that is read in blocks of measurements, so that no second copy of the variable is in memory.
///
/// Blocks consist of whole rows of chunks. Each chunk is therefore unpacked once, and no unpacked chunk has to be kept
/// for the next block.
///
/// Not sendable: must be used by one thread at a time. The file must exist longer than this object.
final class DataBlocks {
    private let variable: HDF5Variable

    var name: String { variable.name }
    var shape: [Int] { variable.shape }

    /// Number of values of a block, unless one row of chunks has more: 8 MB.
    private static let blockValues = 1 << 21

    /// Opens a variable of at most `most` values, and checks its storage before memory is allocated. `keepsChunks`:
    /// whether the last chunks stay unpacked, for blocks that begin or end within a chunk.
    init(
        _ name: String, of file: HDF5File, most: Int = HDF5File.largestCount, keepsChunks: Bool = false
    ) throws(SOFAError) {
        variable = try HDF5Variable(name, of: file, most: most, room: keepsChunks ? Int(HDF5Storage.largestChunk) : 0)
    }

    /// Calls `body` with the values of each measurement, row-major, in single precision. `other`: a variable of the
    /// same shape that is read as well; its values are the third argument, which is otherwise empty. `watch` is called
    /// before each block and after the last one; it may end the reading.
    func forEachMeasurement(
        with other: DataBlocks? = nil, watch: ReadingWatch,
        _ body: (_ measurement: Int, _ values: ArraySlice<Float>, _ others: ArraySlice<Float>) throws(SOFAError) -> Void
    ) throws(SOFAError) {
        let size = shape.dropFirst().reduce(1, *)
        let rows = max(variable.chunkRows, other?.variable.chunkRows ?? 1)
        let step = rows * max(1, DataBlocks.blockValues / max(1, size * rows))
        var start = 0
        while start < shape[0] {
            try watch.reached(Double(start) / Double(shape[0]))
            let count = min(step, shape[0] - start)
            let block = try values(from: start, count: count)
            let otherBlock = try other?.values(from: start, count: count)
            for row in 0..<count {
                let range = (row * size)..<((row + 1) * size)
                try body(start + row, block[range], otherBlock?[range] ?? [])
            }
            start += count
        }
        try watch.reached(1)
    }

    /// Returns a block of values as stored, row-major, in double precision.
    func doubles(start: [Int], count: [Int]) throws(SOFAError) -> [Double] {
        try variable.doubles(start: start, count: count)
    }

    /// Returns the values of `count` measurements, row-major, in single precision.
    func values(from start: Int, count: Int) throws(SOFAError) -> [Float] {
        var origin = [Int](repeating: 0, count: shape.count)
        var extent = shape
        (origin[0], extent[0]) = (start, count)
        return try variable.floats(start: origin, count: extent)
    }
}
