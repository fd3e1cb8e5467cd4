import CHDF5

/// A variable that is open for reading, in parts or completely. Its storage is checked before memory is allocated for
/// values. The object keeps the file open, and closes the variable when it is released. Not sendable: must be used by
/// one thread at a time.
final class HDF5Variable {
    let name: String
    /// Number of values along each axis.
    let shape: [Int]
    let file: HDF5File
    /// HDF5's handle of the variable.
    let dataset: hid_t
    private let chunks: HDF5Chunks?

    /// Number of indices of the first axis in one chunk; 1 without chunks.
    var chunkRows: Int { max(1, min(chunks?.extent.first ?? 1, shape.first ?? 1)) }

    /// Opens and checks a variable of at most `most` values. `room`: greatest total size of the chunks that are kept
    /// unpacked, bytes, for reading parts that begin or end within a chunk.
    init(_ name: String, of file: HDF5File, most: Int = HDF5File.largestCount, room: Int = 0) throws(SOFAError) {
        let dataset = try file.open(name)
        var opened: HDF5Chunks?
        let found: HDF5Storage.Finding
        do throws(SOFAError) {
            shape = try file.extent(of: dataset, name: name, most: most)
            let plan = H5Dget_create_plist(dataset)
            defer { H5Pclose(plan) }
            found = try HDF5Storage(dataset, plan, of: file, name: name, shape: shape).check()
            if let filters = found.filters {
                opened = HDF5Chunks(
                    dataset, plan, shape: shape, filters: filters, room: room, fileSize: found.fileSize)
            }
        } catch {
            H5Dclose(dataset)
            throw error
        }
        (self.name, self.file, self.dataset, chunks) = (name, file, dataset, opened)
        try checkRatio(found)
    }

    deinit { H5Dclose(dataset) }

    /// Returns all values, row-major, in single precision.
    func floats() throws(SOFAError) -> [Float] {
        try floats(start: shape.map { _ in 0 }, count: shape)
    }

    /// Returns all values, row-major, in double precision.
    func doubles() throws(SOFAError) -> [Double] {
        try doubles(start: shape.map { _ in 0 }, count: shape)
    }

    /// Returns a part, row-major, in single precision: `count` values along each axis, from `start` on.
    func floats(start: [Int], count: [Int]) throws(SOFAError) -> [Float] {
        var values = [Float](repeating: 0, count: count.reduce(1, *))
        try read(start, count, chdf5_native_float(), into: &values)
        return values
    }

    /// Returns a part, row-major, in double precision.
    func doubles(start: [Int], count: [Int]) throws(SOFAError) -> [Double] {
        var values = [Double](repeating: 0, count: count.reduce(1, *))
        try read(start, count, chdf5_native_double(), into: &values)
        return values
    }

    private func read<Value: BitwiseCopyable>(
        _ start: [Int], _ count: [Int], _ type: hid_t, into values: inout [Value]
    ) throws(SOFAError) {
        HDF5Errors.silence()
        guard zip(start, zip(count, shape)).allSatisfy({ $0 >= 0 && $1.0 >= 0 && $0 + $1.0 <= $1.1 }) else {
            throw file.damaged(name, "ends before \(start) and \(count) values on")
        }
        if let chunks {
            let result = values.withUnsafeMutableBufferPointer { buffer in
                Result { () throws(HDF5Chunks.Damage) in try chunks.read(start, count, as: type, into: buffer) }
            }
            if case .failure(let damage) = result { throw file.damaged(name, damage.words) }
            return
        }
        let status = values.withUnsafeMutableBytes { bytes in
            // A single value has no axes for a selection.
            if shape.isEmpty { return H5Dread(dataset, type, 0, 0, 0, bytes.baseAddress) }
            let slab = HDF5Slab(of: dataset, start: start, count: count)
            return H5Dread(dataset, type, slab.memory, slab.file, 0, bytes.baseAddress)
        }
        guard status >= 0 else { throw file.damaged(name, HDF5Errors.take()) }
    }

    /// Throws if the compression ratio of a large variable is implausible. Silence compresses as well as a deflate
    /// bomb. So a variable is accepted if its first `HDF5File.largestCount` values are all 0. The check takes some
    /// seconds, and does not keep these values.
    private func checkRatio(_ found: HDF5Storage.Finding) throws(SOFAError) {
        let (bytes, stored) = (found.bytes, found.stored)
        guard bytes > HDF5Storage.unremarkableSize, stored > 0, bytes / stored > HDF5Storage.largestRatio,
            try hasSound()
        else { return }
        throw .refused(
            path: file.path, object: name, reason: "unpacks \(stored) stored bytes to \(bytes), more than 1000 times")
    }

    /// Returns whether any of the first `largestCount` values is not 0. Needs memory for a megabyte of values and their
    /// chunks.
    private func hasSound() throws(SOFAError) -> Bool {
        let row = max(1, shape.dropFirst().reduce(1, *))
        // Whole rows of chunks are read, so that each chunk is unpacked once. No head or room has rows above the limit,
        // so a variable with such rows counts as one that is not silent.
        guard row <= HDF5File.largestCount / chunkRows else { return true }
        let step = chunkRows * max(1, (1 << 18) / (row * chunkRows))
        let rows = min(shape[0], HDF5File.largestCount / row)
        for start in stride(from: 0, to: rows, by: step) {
            var (origin, extent) = ([Int](repeating: 0, count: shape.count), shape)
            (origin[0], extent[0]) = (start, min(step, rows - start))
            if try floats(start: origin, count: extent).contains(where: { $0 != 0 }) { return true }
        }
        return false
    }
}

extension HDF5File {
    /// Returns the values of a variable, row-major, in single precision, with its shape.
    func floats(_ name: String) throws(SOFAError) -> (values: [Float], shape: [Int]) {
        let variable = try HDF5Variable(name, of: self)
        return (try variable.floats(), variable.shape)
    }

    /// Returns the values of a variable, row-major, in double precision, with its shape. Throws before reading if there
    /// are more than `most` values.
    func doubles(_ name: String, most: Int) throws(SOFAError) -> (values: [Double], shape: [Int]) {
        let variable = try HDF5Variable(name, of: self, most: min(most, HDF5File.largestCount))
        return (try variable.doubles(), variable.shape)
    }
}
