import CHDF5
import Glibc

/// Reads a variable that is stored in chunks: finds, unpacks and converts the chunks, and copies their values. Not
/// sendable: must be used by one thread at a time.
final class HDF5Chunks {
    private let dataset: hid_t
    private let shape: [Int]
    /// Number of values along each axis of a chunk.
    let extent: [Int]
    private let filters: ChunkFilters
    /// Whether chunks at the variable's edge are stored without filters.
    private let leavesEdges: Bool
    /// Type of the stored values, and creation properties with the fill value of missing chunks.
    private let type: hid_t, plan: hid_t
    /// Greatest total size of the chunks that are kept unpacked, bytes.
    private let room: Int
    /// Buffer of the file's size; only the parts that are written take memory. The library writes as many bytes as a
    /// chunk's record states, and refuses chunks that extend past the end of the file.
    private let scratch: UnsafeMutableRawBufferPointer
    private var kept: [Int: [UInt8]] = [:]
    /// Type to which the kept chunks were converted.
    private var keptType: hid_t = -1
    private var keptBytes = 0

    /// Reason why a chunk cannot be read, with its place.
    struct Damage: Error { let words: String }

    /// Creates a reader of `dataset`, which must stay open while this object exists. `room`: greatest total size of the
    /// chunks that are kept unpacked, bytes, for reading parts that begin or end within a chunk. `fileSize`: size of
    /// the whole file, bytes.
    init(_ dataset: hid_t, _ plan: hid_t, shape: [Int], filters: ChunkFilters, room: Int, fileSize: Int) {
        let bytes = calloc(fileSize, 1)
        scratch = UnsafeMutableRawBufferPointer(start: bytes, count: bytes == nil ? 0 : fileSize)
        (self.dataset, self.shape, self.filters, self.room) = (dataset, shape, filters, room)
        type = H5Dget_type(dataset)
        self.plan = H5Pcopy(plan)
        extent = HDF5Chunks.extent(plan, rank: shape.count)
        var options: UInt32 = 0
        H5Pget_chunk_opts(plan, &options)
        leavesEdges = options & UInt32(H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0
    }

    deinit {
        free(scratch.baseAddress)
        H5Tclose(type)
        H5Pclose(plan)
    }

    /// Returns the number of values along each axis of a chunk, for a chunked variable of `rank` axes.
    static func extent(_ plan: hid_t, rank: Int) -> [Int] {
        var sizes = [hsize_t](repeating: 1, count: 8)
        H5Pget_chunk(plan, 8, &sizes)
        return sizes.prefix(rank).map { Int(clamping: max(1, $0)) }
    }

    /// Reads a part as `Value`, whose HDF5 type is `native`, row-major: `count` values along each axis from `start` on.
    /// The part must lie within the shape.
    func read<Value: BitwiseCopyable>(
        _ start: [Int], _ count: [Int], as native: hid_t, into values: UnsafeMutableBufferPointer<Value>
    ) throws(Damage) {
        guard !count.contains(0) else { return }
        if native != keptType { forget() }
        keptType = native
        let first = zip(start, extent).map { $0 / $1 }
        let last = shape.indices.map { (start[$0] + count[$0] - 1) / extent[$0] }
        try Self.each(from: first, through: last) { (place: [Int]) throws(Damage) in
            let chunk = try unpacked(place, native, size: MemoryLayout<Value>.stride)
            chunk.withUnsafeBytes { copy($0.bindMemory(to: Value.self), of: place, start, count, into: values) }
        }
    }

    /// Copies the intersection of a chunk and a part, in runs along the last axis.
    private func copy<Value: BitwiseCopyable>(
        _ chunk: UnsafeBufferPointer<Value>, of place: [Int], _ start: [Int], _ count: [Int],
        into values: UnsafeMutableBufferPointer<Value>
    ) {
        let axes = shape.indices
        let origin = axes.map { place[$0] * extent[$0] }
        let from = axes.map { max(origin[$0], start[$0]) }
        let to = axes.map { min(origin[$0] + extent[$0], start[$0] + count[$0]) - 1 }
        var rows = to
        rows[axes.last!] = from[axes.last!]
        let run = to[axes.last!] - from[axes.last!] + 1
        Self.each(from: from, through: rows) { (row: [Int]) in
            var (source, target) = (0, 0)
            for axis in axes {
                source = source * extent[axis] + row[axis] - origin[axis]
                target = target * count[axis] + row[axis] - start[axis]
            }
            for index in 0..<run { values[target + index] = chunk[source + index] }
        }
    }

    /// Calls `body` for all places of a box; the last axis varies fastest.
    private static func each<Failure>(
        from first: [Int], through last: [Int], _ body: ([Int]) throws(Failure) -> Void
    ) throws(Failure) {
        var place = first
        while true {
            try body(place)
            var axis = place.count - 1
            while axis >= 0, place[axis] == last[axis] {
                place[axis] = first[axis]
                axis -= 1
            }
            if axis < 0 { return }
            place[axis] += 1
        }
    }

    /// Returns a chunk's values as `native`.
    private func unpacked(_ place: [Int], _ native: hid_t, size: Int) throws(Damage) -> [UInt8] {
        let number = zip(place, zip(shape, extent)).reduce(0) { ($0 * (($1.1.0 + $1.1.1 - 1) / $1.1.1)) + $1.0 }
        if let chunk = kept[number] { return chunk }
        let chunk = try load(place, native, size: size)
        guard chunk.count <= room else { return chunk }
        if keptBytes + chunk.count > room { forget() }
        kept[number] = chunk
        keptBytes += chunk.count
        return chunk
    }

    private func forget() { (kept, keptBytes) = ([:], 0) }

    private func load(_ place: [Int], _ native: hid_t, size: Int) throws(Damage) -> [UInt8] {
        let offset = zip(place, extent).map { hsize_t($0 * $1) }
        let count = extent.reduce(1, *)
        let width = H5Tget_size(type)
        func damage(_ words: String) -> Damage { Damage(words: "the chunk at \(offset) \(words)") }
        // The calls for the size and for the data find the same chunk. The stated size is not trusted: at most the
        // file's size is read.
        var stored: hsize_t = 0
        guard H5Dget_chunk_storage_size(dataset, offset, &stored) >= 0 else {
            let words = HDF5Errors.take()
            guard words.contains("not allocated") else { throw damage("cannot be found: \(words)") }
            return filled(native, count: count, size: size)
        }
        // The chunk was never written.
        if stored == 0 { return filled(native, count: count, size: size) }
        guard stored <= scratch.count else { throw damage("claims \(stored) bytes in a file of \(scratch.count)") }
        var mask: UInt32 = 0
        guard H5Dread_chunk(dataset, 0, offset, &mask, scratch.baseAddress) >= 0 else {
            let words = HDF5Errors.take()
            guard words.contains("not defined") else { throw damage("cannot be read: \(words)") }
            return filled(native, count: count, size: size)
        }
        var data = [UInt8](scratch.prefix(Int(stored)))
        if leavesEdges, zip(offset, zip(shape, extent)).contains(where: { Int($0) + $1.1 > $1.0 }) { mask = .max }
        do throws(ChunkFilters.Damage) {
            data = try filters.unpack(data, mask: mask, bytes: count * width)
        } catch {
            throw damage(error.words)
        }
        if size > width { data += [UInt8](repeating: 0, count: count * (size - width)) }
        guard H5Tconvert(type, native, count, &data, nil, 0) >= 0 else {
            throw damage("cannot be converted: \(HDF5Errors.take())")
        }
        if size < width { data.removeLast(count * (width - size)) }
        return data
    }

    /// Returns the file's fill value for missing values, or zeros if it has none.
    private func filled(_ native: hid_t, count: Int, size: Int) -> [UInt8] {
        var value = [UInt8](repeating: 0, count: size)
        if H5Pget_fill_value(plan, native, &value) < 0 { value = [UInt8](repeating: 0, count: size) }
        return [UInt8](unsafeUninitializedCapacity: count * size) { buffer, written in
            for index in 0..<count { for byte in 0..<size { buffer[index * size + byte] = value[byte] } }
            written = count * size
        }
    }
}
