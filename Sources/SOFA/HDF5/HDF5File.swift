import CHDF5
import CHDF5Driver
import Glibc

/// An HDF5 file whose content is not trusted: every object is checked before memory is allocated for it.
///
/// Only hard links to datasets in the root group are followed. External files, virtual datasets and unknown filters are
/// refused, and sizes are limited. Errors quote HDF5's messages; nothing is printed. Not sendable: must be used by one
/// thread at a time.
final class HDF5File {
    let path: String
    /// HDF5's handle of the file.
    let file: hid_t
    /// Names of the root group's texts of variable length that can be read safely.
    private var rootTexts: Set<String> = []
    /// The same names for each variable that was checked so far.
    private var variableTexts: [String: Set<String>] = [:]

    /// Largest number of values of a variable: 2²⁶ (a grid of 41 527 directions × 2 ears × 256 samples has 2.1·10⁷).
    static let largestCount = 1 << 26
    /// Largest number of values of a variable that is read in parts: 2³¹ (180 head yaws × 24 loudspeakers × 2 ears × 2
    /// s at 48 kHz are 8·10⁸).
    static let largestSlicedCount = 1 << 31

    /// Length of the longest text that is read, bytes.
    private static let longestText = Int(GlobalHeaps.longestText)

    /// Opens `path`, which must have been checked to be a regular file.
    init(path: String) throws(SOFAError) {
        HDF5Errors.silence()
        let file = chdf5_driver_open(path)
        guard file >= 0 else {
            let detail = HDF5Errors.take()
            if detail.contains("truncated") { throw .truncated(path: path, detail: detail) }
            // Messages of the driver (`chdf5_driver_open`) that do not mean damage.
            if detail.hasPrefix(CHDF5_SYSTEM_FAULT) || detail.contains(CHDF5_WRITTEN_ELSEWHERE) {
                throw .unreadable(path: path, reason: detail)
            }
            throw .corrupt(path: path, detail: detail)
        }
        self.path = path
        self.file = file
        rootTexts = try checkAttributes(of: file, name: "the root group")
    }

    deinit { H5Fclose(file) }

    /// Returns the size of the file, bytes.
    func size() throws(SOFAError) -> Int {
        var bytes: hsize_t = 0
        guard H5Fget_filesize(file, &bytes) >= 0 else { throw damaged("the file") }
        return Int(clamping: bytes)
    }

    // MARK: Attributes

    /// Throws if an object's attributes state more bytes than they have. It is called before the library decodes any
    /// attribute. Returns the names of texts of variable length that can be read safely.
    private func checkAttributes(of object: hid_t, name: String) throws(SOFAError) -> Set<String> {
        do throws(HeaderDamage) {
            return try ObjectHeader(of: object, in: file).checkAttributes()
        } catch {
            throw .corrupt(path: path, detail: "\(name): damaged attribute header: \(error.words)")
        }
    }

    /// Returns a text attribute of the root group (nil `variable`) or of a variable. Nil if the attribute or the
    /// variable is missing, or if the attribute is not a single text of at most `longestText` bytes. Throws for a
    /// longer text of variable length.
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
        let sound: Set<String>
        if let variable {
            let known = variableTexts[variable]
            sound = if let known { known } else { try checkAttributes(of: owner, name: variable) }
            variableTexts[variable] = sound
        } else {
            sound = rootTexts
        }
        // A failure to read means damage, not a missing attribute.
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
            guard sound.contains(name) else {
                throw .corrupt(path: path, detail: "\(label): its heap does not hold the text")
            }
            var pointer: UnsafeMutablePointer<CChar>?
            guard H5Aread(attribute, type, &pointer) >= 0 else { throw damaged(label) }
            guard let pointer else { return nil }
            defer { H5free_memory(pointer) }
            return HDF5File.clean(
                UnsafeRawBufferPointer(start: pointer, count: strnlen(pointer, HDF5File.longestText)))
        }
        guard size > 0, size <= HDF5File.longestText else { return nil }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        defer { bytes.deallocate() }
        guard H5Aread(attribute, type, bytes.baseAddress) >= 0 else { throw damaged(label) }
        return HDF5File.clean(UnsafeRawBufferPointer(bytes))
    }

    /// Returns the root group's text attributes of these names.
    func attributes(named names: [String]) throws(SOFAError) -> [String: String] {
        var found: [String: String] = [:]
        for name in names { if let value = try text(name) { found[name] = value } }
        return found
    }

    /// Returns the text up to the first NUL, decoded as UTF-8 or else as Latin-1. Control characters, which could
    /// control a terminal, become spaces. Spaces at both ends are removed.
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

    /// Returns whether the root group has a link of that name.
    func has(_ name: String) throws(SOFAError) -> Bool { try linkKind(of: name) >= 0 }

    /// Returns the link's kind: 0 hard, 1 soft, 64 external, −1 absent. Throws if the file's index is damaged.
    private func linkKind(of name: String) throws(SOFAError) -> Int32 {
        HDF5Errors.silence()
        let kind = chdf5_link_kind(file, name)
        guard kind != -2 else { throw damaged(name) }
        return kind
    }

    /// Returns an error about an unreadable object with HDF5's message.
    private func damaged(_ object: String) -> SOFAError { damaged(object, HDF5Errors.take()) }

    /// Returns an error about a damaged object with a reason.
    func damaged(_ object: String, _ words: String) -> SOFAError {
        .corrupt(path: path, detail: "\(object): \(words)")
    }

    /// Returns the shape of a variable; nil if the variable does not exist. Throws for links other than hard ones, for
    /// objects other than datasets, and for more than `largestCount` values.
    func shape(of name: String) throws(SOFAError) -> [Int]? {
        guard try has(name) else { return nil }
        let dataset = try open(name)
        defer { H5Dclose(dataset) }
        return try extent(of: dataset, name: name)
    }

    /// Returns HDF5's handle of a variable; the caller must close it. Throws if the variable does not exist, for links
    /// other than hard ones, and for objects other than datasets.
    func open(_ name: String) throws(SOFAError) -> hid_t {
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
        let dataset = H5Dopen2(file, name, 0)
        guard dataset >= 0 else { throw damaged(name) }
        return dataset
    }

    /// Returns the shape of an open variable. Throws if it has more than `most` values or more than eight axes.
    func extent(
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
}
