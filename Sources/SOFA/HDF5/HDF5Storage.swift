import CHDF5
import Gate

/// Checks how a variable is stored before any of it is read.
struct HDF5Storage {
    /// Largest unpacked size of a chunk, bytes.
    static let largestChunk: UInt64 = 256 << 20
    /// Unpacked size that is permitted for any chunk, even of a small variable, bytes.
    private static let unremarkableChunk: UInt64 = 16 << 20
    /// Ratio of unpacked to stored size above which a large variable counts as a deflate bomb.
    static let largestRatio: UInt64 = 1000
    /// Number of chunks that is permitted for any variable. More chunks are permitted only if the file has at least
    /// eight bytes for each, because an index of chunks needs them.
    static let unremarkableChunks = 1 << 16
    /// Size below which the ratio is not checked, bytes: eight blocks of `DataBlocks`.
    static let unremarkableSize: UInt64 = 64 << 20

    private let dataset: hid_t
    private let plan: hid_t
    private let file: HDF5File
    private let name: String
    private let shape: [Int]

    /// Storage found for a variable.
    struct Finding {
        /// Filters of the variable's chunks; nil if it is not stored in chunks.
        let filters: ChunkFilters?
        /// Size of the values in the file's type, size as stored, and size of the whole file, bytes.
        let bytes: UInt64, stored: UInt64, fileSize: Int
    }

    /// Creates the check of an open variable with its creation properties.
    init(_ dataset: hid_t, _ plan: hid_t, of file: HDF5File, name: String, shape: [Int]) {
        (self.dataset, self.plan, self.file, self.name, self.shape) = (dataset, plan, file, name, shape)
    }

    /// Throws if the variable does not contain numbers, was never written, states more stored bytes than the file has,
    /// or is virtual. Also throws if it is stored in another file, with unknown filters, or in chunks of implausible
    /// size or number.
    func check() throws(SOFAError) -> Finding {
        let path = file.path
        let type = H5Dget_type(dataset)
        defer { H5Tclose(type) }
        let count = UInt64(shape.reduce(1, *))
        let kind = H5Tget_class(type)
        let size = UInt64(H5Tget_size(type))
        guard kind == H5T_FLOAT || kind == H5T_INTEGER, size <= 8 else {
            throw .unsupported(
                path: path, what: "\(name): a type that is", found: Self.word(for: kind), expected: "numbers")
        }
        if H5Pget_external_count(plan) > 0 {
            throw .refused(path: path, object: name, reason: "keeps its data in another file")
        }
        let layout = H5Pget_layout(plan)
        guard layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED else {
            throw .refused(path: path, object: name, reason: "is a virtual dataset")
        }
        let fileSize = try file.size()
        let stored = try checkStoredSize(bytes: count * size, fileSize: fileSize)
        func finding(_ filters: ChunkFilters?) -> Finding {
            Finding(filters: filters, bytes: count * size, stored: stored, fileSize: fileSize)
        }
        guard layout == H5D_CHUNKED else { return finding(nil) }
        // The values are converted to at least four bytes each.
        var bytes = max(size, 4)
        for part in HDF5Chunks.extent(plan, rank: shape.count) {
            let (product, overflow) = bytes.multipliedReportingOverflow(by: UInt64(part))
            bytes = overflow ? .max : product
        }
        // A chunk may be larger than an extendible variable. It is unpacked completely, so its size is limited too.
        let whole = max(Self.unremarkableChunk, 2 * count * max(size, 4))
        if bytes > min(Self.largestChunk, whole) {
            throw .refused(
                path: path, object: name, reason: "is stored in chunks of \(bytes) bytes for \(count * size) in all")
        }
        let extent = HDF5Chunks.extent(plan, rank: shape.count)
        let chunks = zip(shape, extent).reduce(1) { count, axis in
            count.multipliedSaturated(by: axis.0 / axis.1 + (axis.0 % axis.1 > 0 ? 1 : 0))
        }
        if chunks > max(Self.unremarkableChunks, fileSize / 8) {
            throw .refused(
                path: path, object: name, reason: "is cut into \(chunks) chunks in a file of \(fileSize) bytes")
        }
        return finding(try ChunkFilters(plan, path: path, name: name))
    }

    /// Returns the stored size, bytes. Throws if it exceeds the file's size, or if nothing of a variable of more than
    /// 64 KiB was written.
    private func checkStoredSize(bytes: UInt64, fileSize: Int) throws(SOFAError) -> UInt64 {
        let stored = H5Dget_storage_size(dataset)
        guard stored <= fileSize else {
            throw .corrupt(path: file.path, detail: "\(name): claims \(stored) stored bytes in a file of \(fileSize)")
        }
        guard bytes > 1 << 16, stored == 0 else { return stored }
        throw .value(
            path: file.path, variable: name,
            problem: "was never written: the file sets \(bytes) bytes aside for it and stores none of them; "
                + "use another file")
    }

    private static func word(for kind: H5T_class_t) -> String {
        switch kind {
        case H5T_STRING: "text"
        case H5T_COMPOUND: "compound"
        case H5T_REFERENCE: "references"
        case H5T_VLEN: "of variable length"
        case H5T_ARRAY: "arrays"
        default: "no plain number"
        }
    }
}
