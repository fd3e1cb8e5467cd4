import CHDF5

extension HDF5File {
    /// Largest number of texts that are read, and largest size of all of them, bytes.
    private static let (mostTexts, mostBytes) = (1024, 1 << 22)

    /// Returns the text attributes of the root group, except those that netCDF-4 adds, and those with control
    /// characters or more than 256 bytes in the name. Attributes after the first 1024 are ignored.
    func texts() throws(SOFAError) -> [String: String] {
        HDF5Errors.silence()
        var names: [String] = []
        withUnsafeMutablePointer(to: &names) { names in
            var place: hsize_t = 0
            _ = H5Aiterate2(
                file, H5_INDEX_NAME, H5_ITER_INC, &place,
                { _, name, _, context in
                    guard let name, let context else { return -1 }
                    let names = context.assumingMemoryBound(to: [String].self)
                    names.pointee.append(String(cString: name))
                    return names.pointee.count < HDF5File.mostTexts ? 0 : 1
                }, names)
        }
        HDF5Errors.silence()
        var texts: [String: String] = [:]
        var bytes = 0
        for name in names where HDF5File.isForPeople(name) {
            guard let text = try text(name) else { continue }
            bytes += text.utf8.count
            guard bytes <= HDF5File.mostBytes else {
                throw .refused(
                    path: path, object: "the root group", reason: "has texts of more than \(HDF5File.mostBytes) bytes")
            }
            texts[name] = text
        }
        return texts
    }

    private static func isForPeople(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first != "_", name.utf8.count <= 256 else { return false }
        guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { return false }
        return !["CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS"].contains(name)
    }
}
