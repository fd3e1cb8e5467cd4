import CHDF5

extension HDF5File {
    /// The most one chunk may unpack to, bytes.
    static let largestChunk: UInt64 = 256 << 20
    /// What any chunk may unpack to, bytes, however small its variable.
    static let unremarkableChunk: UInt64 = 16 << 20
    /// Unpacked over stored size beyond which a large variable is taken for a deflate bomb.
    static let largestRatio: UInt64 = 1000
    /// What may be unpacked without a look at that ratio, bytes: eight blocks of `DataBlocks`.
    static let unremarkableSize: UInt64 = 64 << 20

    /// Refuses a variable that is kept elsewhere, in absurd pieces, or in a way that the library cannot unpack.
    func checkStorage(of dataset: hid_t, name: String, shape: [Int]) throws(SOFAError) {
        let type = H5Dget_type(dataset)
        let plan = H5Dget_create_plist(dataset)
        defer {
            H5Tclose(type)
            H5Pclose(plan)
        }
        let count = UInt64(shape.reduce(1, *))
        let kind = H5Tget_class(type)
        let size = UInt64(H5Tget_size(type))
        guard kind == H5T_FLOAT || kind == H5T_INTEGER, size <= 8 else {
            throw .unsupported(
                path: path, what: "\(name): a type that is", found: HDF5File.word(for: kind), expected: "numbers")
        }
        if H5Pget_external_count(plan) > 0 {
            throw .refused(path: path, object: name, reason: "keeps its data in another file")
        }
        let layout = H5Pget_layout(plan)
        guard layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED else {
            throw .refused(path: path, object: name, reason: "is a virtual dataset")
        }
        if layout == H5D_CHUNKED {
            var chunk = [hsize_t](repeating: 1, count: 8)
            let rank = Int(H5Pget_chunk(plan, 8, &chunk))
            var bytes = size
            for part in chunk.prefix(max(0, rank)) {
                let (product, overflow) = bytes.multipliedReportingOverflow(by: part)
                bytes = overflow ? .max : product
            }
            // A chunk may be larger than an extendible variable: it is unpacked as a whole all the same.
            let whole = max(HDF5File.unremarkableChunk, 2 * count * size)
            if bytes > min(HDF5File.largestChunk, whole) {
                throw .refused(
                    path: path, object: name, reason: "is stored in chunks of \(bytes) bytes for \(count * size) in all"
                )
            }
        }
        try checkFilters(plan, name: name)
        try checkRatio(of: dataset, name: name, shape: shape, bytes: count * size)
    }

    private func checkFilters(_ plan: hid_t, name: String) throws(SOFAError) {
        for index in 0..<max(0, H5Pget_nfilters(plan)) {
            var flags: UInt32 = 0
            var parameters = 0
            var label = [CChar](repeating: 0, count: 64)
            var configuration: UInt32 = 0
            let filter = H5Pget_filter2(plan, UInt32(index), &flags, &parameters, nil, 64, &label, &configuration)
            if filter < 0 || H5Zfilter_avail(filter) <= 0 {
                let bytes = label.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                throw .unsupported(
                    path: path, what: "\(name): compression filter \(filter)",
                    found: String(decoding: bytes, as: UTF8.self), expected: "deflate (rewrite with h5repack -f GZIP=4)"
                )
            }
        }
    }

    /// Tells large variables that were never written from those that unpack too well to be sound. Silence unpacks as
    /// well as any bomb: what is, as far as it may be read (`largestCount` values, some seconds), all zeros is left to
    /// whoever reads it, and takes no memory there.
    private func checkRatio(of dataset: hid_t, name: String, shape: [Int], bytes: UInt64) throws(SOFAError) {
        let stored = H5Dget_storage_size(dataset)
        // The library takes as much memory for a packed chunk as its index claims.
        var whole: hsize_t = 0
        guard H5Fget_filesize(file, &whole) >= 0, stored <= whole else {
            throw .corrupt(path: path, detail: "\(name): claims \(stored) stored bytes in a file of \(whole)")
        }
        guard bytes > 1 << 16 else { return }
        guard stored > 0 else {
            throw .value(
                path: path, variable: name,
                problem: "was never written: the file sets \(bytes) bytes aside for it and stores none of them; "
                    + "use another file")
        }
        guard bytes > HDF5File.unremarkableSize, bytes / stored > HDF5File.largestRatio,
            try hasSound(dataset, name, shape: shape)
        else { return }
        throw .refused(
            path: path, object: name, reason: "unpacks \(stored) stored bytes to \(bytes), more than 1000 times")
    }

    /// Whether any of the first `largestCount` values is not 0. Holds a megabyte of values, and what is unpacked with
    /// them.
    private func hasSound(_ dataset: hid_t, _ name: String, shape: [Int]) throws(SOFAError) -> Bool {
        let row = max(1, shape.dropFirst().reduce(1, *))
        let chunkRows = HDF5File.chunkRows(of: dataset, shape: shape)
        // Whole rows of chunks, so that each is unpacked once; no head and no room has one as long as all that may be read.
        guard row <= HDF5File.largestCount / chunkRows else { return true }
        let step = chunkRows * max(1, (1 << 18) / (row * chunkRows))
        let rows = min(shape[0], HDF5File.largestCount / row)
        for start in stride(from: 0, to: rows, by: step) {
            var (origin, extent) = ([Int](repeating: 0, count: shape.count), shape)
            (origin[0], extent[0]) = (start, min(step, rows - start))
            if try slice(dataset, name, start: origin, count: extent).contains(where: { $0 != 0 }) { return true }
        }
        return false
    }

    /// Indices of the first axis that lie in one chunk; 1 where there are no chunks.
    static func chunkRows(of dataset: hid_t, shape: [Int]) -> Int {
        let plan = H5Dget_create_plist(dataset)
        defer { H5Pclose(plan) }
        var chunk = [hsize_t](repeating: 1, count: 8)
        guard H5Pget_layout(plan) == H5D_CHUNKED, H5Pget_chunk(plan, 8, &chunk) > 0 else { return 1 }
        return max(1, Int(min(chunk[0], hsize_t(max(1, shape.first ?? 1)))))
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
