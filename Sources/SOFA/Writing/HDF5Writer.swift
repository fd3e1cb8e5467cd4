import CHDF5

/// Writes variables and attributes of one HDF5 file.
struct HDF5Writer {
    let file: hid_t
    let path: String

    /// Creates a file at `partial`. Errors contain `path`.
    init(partial: String, path: String) throws(SOFAError) {
        // Links and attributes are in creation order, as in netCDF-4; libmysofa can read no other order.
        let plan = H5Pcreate(chdf5_file_create())
        defer { H5Pclose(plan) }
        H5Pset_link_creation_order(plan, 3)
        H5Pset_obj_track_times(plan, false)
        H5Pset_attr_creation_order(plan, 3)
        file = H5Fcreate(partial, chdf5_truncate(), plan, 0)
        self.path = path
        guard file >= 0 else { throw failed() }
    }

    /// Creates a writer for an open file.
    init(file: hid_t, path: String) { (self.file, self.path) = (file, path) }

    /// Closes the complete file.
    func close() throws(SOFAError) { guard H5Fclose(file) >= 0 else { throw failed() } }

    /// Closes the file, complete or not.
    func abandon() { H5Fclose(file) }

    private func failed() -> SOFAError { .unwritable(path: path, reason: HDF5Errors.take()) }

    /// Writes a text attribute of the root group.
    func attribute(_ name: String, _ value: String) throws(SOFAError) { try attribute(name, value, on: file) }

    private func attribute(
        _ name: String, _ value: String, on owner: hid_t, isTerminated: Bool = false
    ) throws(SOFAError) {
        let bytes = Array(value.utf8) + (isTerminated ? [0] : [])
        let type = H5Tcopy(chdf5_c_s1())
        let space = H5Screate(H5S_SCALAR)
        defer {
            H5Tclose(type)
            H5Sclose(space)
        }
        // The text is UTF-8 but not marked as UTF-8: netCDF-4 does not mark texts, and libmysofa refuses marked ones.
        H5Tset_size(type, max(1, bytes.count))
        let attribute = H5Acreate2(owner, name, type, space, 0, 0)
        guard attribute >= 0 else { throw failed() }
        defer { H5Aclose(attribute) }
        guard H5Awrite(attribute, type, bytes.isEmpty ? [0] : bytes) >= 0 else { throw failed() }
    }

    /// Writes a variable of doubles with its attributes.
    func doubles(
        _ name: String, _ values: [Double], _ shape: [Int], _ attributes: [(String, String)],
        dimensions: [String] = []
    ) throws(SOFAError) {
        let isPacked = values.count > 64 && !shape.contains(0)
        let dataset = try create(name, chdf5_ieee_f64le(), shape, chunk: isPacked ? HDF5Writer.chunk(of: shape) : nil)
        defer { H5Dclose(dataset) }
        guard H5Dwrite(dataset, chdf5_native_double(), 0, 0, 0, values) >= 0 else { throw failed() }
        for (key, value) in attributes { try attribute(key, value, on: dataset) }
        try list(dimensions, on: dataset)
    }

    /// Creates a variable of doubles that is written in parts. The caller closes it with `H5Dclose`.
    func open(_ name: String, _ shape: [Int], dimensions: [String], chunk: [Int]) throws(SOFAError) -> hid_t {
        let isPacked = shape.reduce(1, *) > 64
        let dataset = try create(name, chdf5_ieee_f64le(), shape, chunk: isPacked ? chunk : nil)
        do { try list(dimensions, on: dataset) } catch {
            H5Dclose(dataset)
            throw error
        }
        return dataset
    }

    /// Writes a part of an open variable, row-major.
    func write(_ values: [Double], to dataset: hid_t, start: [Int], count: [Int]) throws(SOFAError) {
        precondition(values.count == count.reduce(1, *))
        let slab = HDF5Slab(of: dataset, start: start, count: count)
        guard slab.isThere,
            H5Dwrite(dataset, chdf5_native_double(), slab.memory, slab.file, 0, values) >= 0
        else { throw failed() }
    }

    /// Returns the chunk shape of a variable. A chunk has up to 256 indices of the first axis, as many as fit into a
    /// megabyte. If a single one exceeds 4 MB, the chunk has as many indices of the last axis (emitters) as fit into 4
    /// MB. If a single emitter exceeds 4 MB, the chunk has up to 2¹⁸ samples of one response (2 MB).
    static func chunk(of shape: [Int]) -> [Int] {
        guard let first = shape.first else { return [] }
        let row = 8 * max(1, shape.dropFirst().reduce(1, *))
        guard row > 4 << 20, shape.count >= 3 else {
            return [min(first, max(1, min(256, (1 << 20) / row)))] + shape.dropFirst()
        }
        let single = 8 * shape[1] * shape[2]
        if single <= 4 << 20 {
            return [1, shape[1], shape[2]] + shape.dropFirst(3).map { min($0, max(1, (4 << 20) / single)) }
        }
        return [1, 1, min(shape[2], 1 << 18)] + shape.dropFirst(3).map { _ in 1 }
    }

    /// Writes a dimension without coordinates, as netCDF-4 does: an empty big-endian float dataset.
    func dimension(_ name: String, _ size: Int) throws(SOFAError) {
        let dataset = try create(name, chdf5_ieee_f32be(), [size], chunk: nil)
        defer { H5Dclose(dataset) }
        let digits = String(size)
        let number = String(repeating: " ", count: max(0, 10 - digits.count)) + digits
        try attribute("CLASS", "DIMENSION_SCALE", on: dataset, isTerminated: true)
        try attribute(
            "NAME", "This is a netCDF dimension but not a netCDF variable." + number, on: dataset, isTerminated: true)
    }

    /// Writes the dimensions of a variable: one list of object references per axis.
    private func list(_ dimensions: [String], on dataset: hid_t) throws(SOFAError) {
        guard !dimensions.isEmpty else { return }
        let type = H5Tvlen_create(chdf5_object_reference())
        let space = H5Screate_simple(1, [hsize_t(dimensions.count)], nil)
        let references = UnsafeMutablePointer<hobj_ref_t>.allocate(capacity: dimensions.count)
        defer {
            H5Tclose(type)
            H5Sclose(space)
            references.deallocate()
        }
        var lists: [hvl_t] = []
        for (axis, name) in dimensions.enumerated() {
            guard H5Rcreate(references + axis, file, name, H5R_OBJECT, -1) >= 0 else { throw failed() }
            lists.append(hvl_t(len: 1, p: references + axis))
        }
        let attribute = H5Acreate2(dataset, "DIMENSION_LIST", type, space, 0, 0)
        guard attribute >= 0 else { throw failed() }
        defer { H5Aclose(attribute) }
        guard H5Awrite(attribute, type, lists) >= 0 else { throw failed() }
    }

    private func create(_ name: String, _ type: hid_t, _ shape: [Int], chunk: [Int]?) throws(SOFAError) -> hid_t {
        let space = H5Screate_simple(Int32(shape.count), shape.map { hsize_t($0) }, nil)
        let plan = H5Pcreate(chdf5_dataset_create())
        defer {
            H5Sclose(space)
            H5Pclose(plan)
        }
        // Times of writing would make the files of equal sets differ.
        H5Pset_obj_track_times(plan, false)
        H5Pset_attr_creation_order(plan, 3)
        if let chunk {
            H5Pset_chunk(plan, Int32(chunk.count), chunk.map { hsize_t($0) })
            H5Pset_shuffle(plan)
            H5Pset_deflate(plan, 9)
        }
        let dataset = H5Dcreate2(file, name, type, space, 0, plan, 0)
        guard dataset >= 0 else { throw failed() }
        return dataset
    }
}
