import CHDF5
import Glibc

/// An HDF5 file opened for careful reading: every object is looked at before anything is allocated for it.
///
/// Only hard links to datasets in the root group are followed; external files, virtual datasets and unknown filters
/// are refused; sizes are capped. Errors carry HDF5's own words; nothing is printed. Not sendable: one thread at a
/// time.
final class HDF5File {
    let path: String
    private let file: hid_t

    /// The most values one variable may hold: 2²⁶ (a grid of 41 527 directions × 2 ears × 256 samples has 2.1·10⁷).
    static let largestCount = 1 << 26
    /// The most values of a variable that is read piece by piece: 2³¹ (180 head yaws × 24 loudspeakers × 2 ears × 2 s).
    static let largestSlicedCount = 1 << 31
    /// The most one chunk may unpack to, bytes.
    static let largestChunk: UInt64 = 256 << 20
    /// What any chunk may unpack to, bytes, however small its variable.
    static let unremarkableChunk: UInt64 = 16 << 20
    /// Unpacked over stored size beyond which a variable is taken for a deflate bomb.
    static let largestRatio: UInt64 = 1000

    /// Opens `path`, which must already look like a regular file.
    init(path: String) throws(SOFAError) {
        HDF5Errors.silence()
        let file = H5Fopen(path, chdf5_read_only(), 0)
        guard file >= 0 else {
            let detail = HDF5Errors.take()
            if detail.contains("truncated") { throw .truncated(path: path, detail: detail) }
            if detail.contains("lock") {
                throw .unreadable(path: path, reason: "\(detail); is it open for writing elsewhere?")
            }
            throw .corrupt(path: path, detail: detail)
        }
        self.path = path
        self.file = file
        try checkAttributes(of: file, name: "the root group")
    }

    deinit { H5Fclose(file) }

    // MARK: Attributes

    /// Refuses an object whose attributes claim more than they hold; comes before the library decodes any of them.
    private func checkAttributes(of object: hid_t, name: String) throws(SOFAError) {
        do throws(HeaderDamage) {
            try ObjectHeader(of: object, in: file).checkAttributes()
        } catch {
            throw .corrupt(path: path, detail: "\(name): damaged attribute header: \(error.words)")
        }
    }

    /// A text attribute of the root group (`variable` nil) or of a variable; nil where there is none or it is not text.
    func text(_ name: String, of variable: String? = nil) throws(SOFAError) -> String? {
        HDF5Errors.silence()
        let owner: hid_t
        if let variable {
            guard try linkKind(of: variable) == 0 else { return nil }
            owner = H5Oopen(file, variable, 0)
            guard owner >= 0 else { throw damaged(variable) }
        } else {
            owner = file
        }
        defer { if variable != nil { H5Oclose(owner) } }
        if let variable { try checkAttributes(of: owner, name: variable) }
        // What cannot be read is damage, not absence.
        let label = "attribute \(name)" + (variable.map { " of \($0)" } ?? "")
        let exists = H5Aexists(owner, name)
        guard exists >= 0 else { throw damaged(label) }
        guard exists > 0 else { return nil }
        let attribute = H5Aopen(owner, name, 0)
        guard attribute >= 0 else { throw damaged(label) }
        defer { H5Aclose(attribute) }
        let type = H5Aget_type(attribute)
        let space = H5Aget_space(attribute)
        defer {
            H5Tclose(type)
            H5Sclose(space)
        }
        let size = H5Tget_size(type)
        guard H5Tget_class(type) == H5T_STRING, H5Sget_simple_extent_npoints(space) == 1 else { return nil }
        if H5Tis_variable_str(type) > 0 {
            var pointer: UnsafeMutablePointer<CChar>?
            guard H5Aread(attribute, type, &pointer) >= 0 else { throw damaged(label) }
            guard let pointer else { return nil }
            defer { H5free_memory(pointer) }
            return HDF5File.clean(UnsafeRawBufferPointer(start: pointer, count: strnlen(pointer, 1 << 16)))
        }
        guard size > 0, size <= 1 << 20 else { return nil }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        defer { bytes.deallocate() }
        guard H5Aread(attribute, type, bytes.baseAddress) >= 0 else { throw damaged(label) }
        return HDF5File.clean(UnsafeRawBufferPointer(bytes))
    }

    /// All text attributes of the root group.
    func attributes(named names: [String]) throws(SOFAError) -> [String: String] {
        var found: [String: String] = [:]
        for name in names { if let value = try text(name) { found[name] = value } }
        return found
    }

    /// Text up to the first NUL, UTF-8 or else Latin-1, without control characters (a file must not steer a terminal).
    private static func clean(_ bytes: UnsafeRawBufferPointer) -> String {
        let end = bytes.firstIndex(of: 0) ?? bytes.count
        let raw = Array(bytes[0..<end])
        let decoded =
            String(validating: raw, as: UTF8.self)
            ?? String(String.UnicodeScalarView(raw.map { Unicode.Scalar($0) }))
        var scalars = String.UnicodeScalarView()
        for scalar in decoded.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        let text = String(scalars)
        return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    // MARK: Variables

    /// Whether the root group has anything by that name.
    func has(_ name: String) throws(SOFAError) -> Bool { try linkKind(of: name) >= 0 }

    /// 0 hard, 1 soft, 64 external, −1 absent. Throws where the file's own index is damaged.
    private func linkKind(of name: String) throws(SOFAError) -> Int32 {
        HDF5Errors.silence()
        let kind = chdf5_link_kind(file, name)
        guard kind != -2 else { throw damaged(name) }
        return kind
    }

    /// What HDF5 says of an object that it cannot read.
    private func damaged(_ object: String) -> SOFAError {
        .corrupt(path: path, detail: "\(object): \(HDF5Errors.take())")
    }

    /// The shape of a variable, or nil where there is none. Refuses what is not a plain dataset.
    func shape(of name: String) throws(SOFAError) -> [Int]? {
        guard try has(name) else { return nil }
        let dataset = try open(name)
        defer { H5Dclose(dataset) }
        return try extent(of: dataset, name: name)
    }

    /// The values of a variable, row-major, as single precision, with its shape.
    func floats(_ name: String) throws(SOFAError) -> (values: [Float], shape: [Int]) {
        let (dataset, shape) = try openForReading(name)
        defer { H5Dclose(dataset) }
        var values = [Float](repeating: 0, count: shape.reduce(1, *))
        guard H5Dread(dataset, chdf5_native_float(), 0, 0, 0, &values) >= 0 else {
            throw damaged(name)
        }
        return (values, shape)
    }

    /// The values of a variable, row-major, in double precision, with its shape. `most`: how many values make sense;
    /// more are refused before any is read.
    func doubles(_ name: String, most: Int) throws(SOFAError) -> (values: [Double], shape: [Int]) {
        let (dataset, shape) = try openForReading(name, most: min(most, HDF5File.largestCount))
        defer { H5Dclose(dataset) }
        var values = [Double](repeating: 0, count: shape.reduce(1, *))
        guard H5Dread(dataset, chdf5_native_double(), 0, 0, 0, &values) >= 0 else {
            throw damaged(name)
        }
        return (values, shape)
    }

    /// A variable to be read piece by piece; close it with `H5Dclose`. All checks are made here, once.
    ///
    /// Chunks stay unpacked in a cache, of the largest chunk's size or as many bytes as said, so that pieces may run
    /// across them.
    func openForSlicing(
        _ name: String, most: Int = HDF5File.largestSlicedCount, cache: Int = Int(HDF5File.largestChunk)
    ) throws(SOFAError) -> (dataset: hid_t, shape: [Int]) {
        let plan = H5Pcreate(chdf5_dataset_access())
        defer { H5Pclose(plan) }
        H5Pset_chunk_cache(plan, 12_421, cache, 1)
        return try openForReading(name, most: most, access: plan)
    }

    /// A block of a variable that was opened for slicing, row-major, as single precision. `count` values are taken
    /// along each dimension from `start` on; they must lie within its shape.
    func slice(_ dataset: hid_t, _ name: String, start: [Int], count: [Int]) throws(SOFAError) -> [Float] {
        HDF5Errors.silence()
        let space = H5Dget_space(dataset)
        var sizes = count.map { hsize_t($0) }
        let memory = H5Screate_simple(Int32(sizes.count), &sizes, nil)
        defer {
            H5Sclose(space)
            H5Sclose(memory)
        }
        let places = start.map { hsize_t($0) }
        var values = [Float](repeating: 0, count: count.reduce(1, *))
        guard H5Sselect_hyperslab(space, H5S_SELECT_SET, places, nil, sizes, nil) >= 0,
            H5Dread(dataset, chdf5_native_float(), memory, space, 0, &values) >= 0
        else { throw damaged(name) }
        return values
    }

    private func open(_ name: String, access: hid_t = 0) throws(SOFAError) -> hid_t {
        HDF5Errors.silence()
        switch try linkKind(of: name) {
        case 0: break
        case 1: throw .refused(path: path, object: name, reason: "is a soft link")
        case 64: throw .refused(path: path, object: name, reason: "is a link into another file")
        case -1: throw .incomplete(path: path, missing: "variable \(name)")
        default: throw .refused(path: path, object: name, reason: "is a user-defined link")
        }
        switch chdf5_is_dataset(file, name) {
        case 1: break
        case 0:
            throw .value(
                path: path, variable: name, problem: "is a group or a type, not a variable; expected numbers")
        default: throw damaged(name)
        }
        let dataset = H5Dopen2(file, name, access)
        guard dataset >= 0 else { throw damaged(name) }
        return dataset
    }

    private func extent(
        of dataset: hid_t, name: String, most: Int = HDF5File.largestCount
    ) throws(SOFAError) -> [Int] {
        let space = H5Dget_space(dataset)
        defer { H5Sclose(space) }
        let rank = Int(H5Sget_simple_extent_ndims(space))
        guard rank >= 0, rank <= 8 else {
            throw .corrupt(path: path, detail: "\(name): rank \(rank)")
        }
        var dimensions = [hsize_t](repeating: 0, count: max(1, rank))
        H5Sget_simple_extent_dims(space, &dimensions, nil)
        var count: UInt64 = 1
        for size in dimensions.prefix(rank) {
            let (product, overflow) = count.multipliedReportingOverflow(by: size)
            guard !overflow, size <= UInt64(Int.max) else {
                throw .refused(path: path, object: name, reason: "claims an impossible size")
            }
            count = product
        }
        guard count <= UInt64(most) else {
            throw .refused(path: path, object: name, reason: "claims \(count) values, more than \(most)")
        }
        return dimensions.prefix(rank).map(Int.init)
    }

    /// All checks that come before memory is taken for a variable's values.
    private func openForReading(
        _ name: String, most: Int = HDF5File.largestCount, access: hid_t = 0
    ) throws(SOFAError) -> (hid_t, [Int]) {
        let dataset = try open(name, access: access)
        do {
            let shape = try extent(of: dataset, name: name, most: most)
            try checkStorage(of: dataset, name: name, count: UInt64(shape.reduce(1, *)))
            return (dataset, shape)
        } catch {
            H5Dclose(dataset)
            throw error
        }
    }

    private func checkStorage(of dataset: hid_t, name: String, count: UInt64) throws(SOFAError) {
        let type = H5Dget_type(dataset)
        let plan = H5Dget_create_plist(dataset)
        defer {
            H5Tclose(type)
            H5Pclose(plan)
        }
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
        let (logical, stored) = (count * size, H5Dget_storage_size(dataset))
        if logical > 1 << 16, stored == 0 || logical / stored > HDF5File.largestRatio {
            throw .refused(
                path: path, object: name, reason: "unpacks \(stored) stored bytes to \(logical), more than 1000 times")
        }
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
