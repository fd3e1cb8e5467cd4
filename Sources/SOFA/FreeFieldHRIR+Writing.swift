import CHDF5
import Geometry
import Glibc

extension FreeFieldHRIR {
    /// Writes the set as a SimpleFreeFieldHRIR file (AES69-2022, SOFA 2.1, convention 1.0), replacing what is at
    /// `path`.
    ///
    /// Responses are stored as doubles (the one type every reader takes), shuffled and deflated; positions are
    /// spherical, in degrees and metres. The file appears under its name only when complete. Attributes of `attributes`
    /// win over the defaults.
    package func write(to path: String) throws(SOFAError) {
        HDF5Errors.silence()
        let partial = path + ".partial"
        // Links and attributes in the order of their making, as netCDF-4 has them: libmysofa reads no others.
        let plan = H5Pcreate(chdf5_file_create())
        defer { H5Pclose(plan) }
        H5Pset_link_creation_order(plan, 3)
        H5Pset_obj_track_times(plan, false)
        H5Pset_attr_creation_order(plan, 3)
        let file = H5Fcreate(partial, chdf5_truncate(), plan, 0)
        guard file >= 0 else { throw .unwritable(path: path, reason: HDF5Errors.take()) }
        let writer = HDF5Writer(file: file, path: path)
        do {
            try write(with: writer)
        } catch {
            H5Fclose(file)
            unlink(partial)
            throw error
        }
        guard H5Fclose(file) >= 0, rename(partial, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(partial)
            throw .unwritable(path: path, reason: reason)
        }
    }

    private func write(with writer: HDF5Writer) throws(SOFAError) {
        var global = FreeFieldHRIR.defaultAttributes
        for (name, value) in attributes { global[name] = value }
        for (name, value) in global.sorted(by: { $0.key < $1.key }) { try writer.attribute(name, value) }
        let cartesian = [("Type", "cartesian"), ("Units", "metre")]
        let m = measurementCount
        // Dimensions as netCDF-4 keeps them, for readers that want them (libmysofa does).
        for (index, (name, size)) in [
            ("I", 1), ("C", 3), ("R", 2), ("E", 1), ("N", sampleCount), ("M", m),
        ].enumerated() { try writer.dimension(name, size, index: index) }
        try writer.doubles("ListenerPosition", [0, 0, 0], [1, 3], cartesian, dimensions: ["I", "C"])
        try writer.doubles("ListenerView", [1, 0, 0], [1, 3], cartesian, dimensions: ["I", "C"])
        try writer.doubles("ListenerUp", [0, 0, 1], [1, 3], cartesian, dimensions: ["I", "C"])
        try writer.doubles(
            "ReceiverPosition", [0, 0.09, 0, 0, -0.09, 0], [2, 3, 1], cartesian, dimensions: ["R", "C", "I"])
        try writer.doubles("EmitterPosition", [0, 0, 0], [1, 3, 1], cartesian, dimensions: ["E", "C", "I"])
        var positions: [Double] = []
        for (direction, distance) in zip(directions, distances) {
            let degrees = direction.azimuth * 180 / .pi
            positions += [degrees < 0 ? degrees + 360 : degrees, direction.elevation * 180 / .pi, distance]
        }
        try writer.doubles(
            "SourcePosition", positions, [m, 3], [("Type", "spherical"), ("Units", "degree, degree, metre")],
            dimensions: ["M", "C"])
        try writer.doubles("Data.SamplingRate", [sampleRate], [1], [("Units", "hertz")], dimensions: ["I"])
        if delays.allSatisfy({ $0 == 0 }) {
            try writer.doubles("Data.Delay", [0, 0], [1, 2], [], dimensions: ["I", "R"])
        } else {
            try writer.doubles("Data.Delay", delays, [m, 2], [], dimensions: ["M", "R"])
        }
        try writer.doubles(
            "Data.IR", responses.map(Double.init), [m, 2, sampleCount], [], dimensions: ["M", "R", "N"])
    }

    /// What AES69 demands of every file; dates are fixed so that equal sets give equal files.
    private static var defaultAttributes: [String: String] {
        [
            "Conventions": "SOFA", "Version": "2.1", "SOFAConventions": "SimpleFreeFieldHRIR",
            "SOFAConventionsVersion": "1.0", "DataType": "FIR", "RoomType": "free field", "Title": "HRIR",
            "DatabaseName": "", "ListenerShortName": "",
            "License": "No license provided, ask the author for permission",
            "Organization": "", "AuthorContact": "", "APIName": "Proscenium", "APIVersion": "1",
            "DateCreated": "2026-01-01 00:00:00", "DateModified": "2026-01-01 00:00:00",
        ]
    }
}

/// Writes variables and attributes of one open file.
struct HDF5Writer {
    let file: hid_t
    let path: String

    /// A text attribute of the root group.
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
        H5Tset_size(type, max(1, bytes.count))
        let attribute = H5Acreate2(owner, name, type, space, 0, 0)
        guard attribute >= 0 else { throw .unwritable(path: path, reason: HDF5Errors.take()) }
        defer { H5Aclose(attribute) }
        guard H5Awrite(attribute, type, bytes.isEmpty ? [0] : bytes) >= 0 else {
            throw .unwritable(path: path, reason: HDF5Errors.take())
        }
    }

    /// A variable of doubles with its attributes.
    func doubles(
        _ name: String, _ values: [Double], _ shape: [Int], _ attributes: [(String, String)],
        dimensions: [String] = []
    ) throws(SOFAError) {
        let dataset = try create(name, chdf5_ieee_f64le(), shape, isPacked: values.count > 64)
        defer { H5Dclose(dataset) }
        guard H5Dwrite(dataset, chdf5_native_double(), 0, 0, 0, values) >= 0 else {
            throw .unwritable(path: path, reason: HDF5Errors.take())
        }
        for (key, value) in attributes { try attribute(key, value, on: dataset) }
        try list(dimensions, on: dataset)
    }

    /// A dimension without coordinates, as netCDF-4 writes them: a big-endian float dataset that holds nothing.
    func dimension(_ name: String, _ size: Int, index: Int) throws(SOFAError) {
        let space = H5Screate_simple(1, [hsize_t(size)], nil)
        let plan = H5Pcreate(chdf5_dataset_create())
        defer {
            H5Sclose(space)
            H5Pclose(plan)
        }
        H5Pset_obj_track_times(plan, false)
        H5Pset_attr_creation_order(plan, 3)
        let dataset = H5Dcreate2(file, name, chdf5_ieee_f32be(), space, 0, plan, 0)
        guard dataset >= 0 else { throw .unwritable(path: path, reason: HDF5Errors.take()) }
        defer { H5Dclose(dataset) }
        let digits = String(size)
        let number = String(repeating: " ", count: max(0, 10 - digits.count)) + digits
        try attribute("CLASS", "DIMENSION_SCALE", on: dataset, isTerminated: true)
        try attribute(
            "NAME", "This is a netCDF dimension but not a netCDF variable." + number, on: dataset, isTerminated: true)
    }

    /// Says which dimensions a variable has: one list of object references per axis.
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
            guard H5Rcreate(references + axis, file, name, H5R_OBJECT, -1) >= 0 else {
                throw .unwritable(path: path, reason: HDF5Errors.take())
            }
            lists.append(hvl_t(len: 1, p: references + axis))
        }
        let attribute = H5Acreate2(dataset, "DIMENSION_LIST", type, space, 0, 0)
        guard attribute >= 0 else { throw .unwritable(path: path, reason: HDF5Errors.take()) }
        defer { H5Aclose(attribute) }
        guard H5Awrite(attribute, type, lists) >= 0 else {
            throw .unwritable(path: path, reason: HDF5Errors.take())
        }
    }

    private func create(_ name: String, _ type: hid_t, _ shape: [Int], isPacked: Bool) throws(SOFAError) -> hid_t {
        let dimensions = shape.map(hsize_t.init)
        let space = H5Screate_simple(Int32(shape.count), dimensions, nil)
        let plan = H5Pcreate(chdf5_dataset_create())
        defer {
            H5Sclose(space)
            H5Pclose(plan)
        }
        // Times of writing would make equal sets differ.
        H5Pset_obj_track_times(plan, false)
        H5Pset_attr_creation_order(plan, 3)
        if isPacked, !shape.contains(0) {
            var chunk = dimensions
            chunk[0] = min(chunk[0], 256)
            H5Pset_chunk(plan, Int32(shape.count), chunk)
            H5Pset_shuffle(plan)
            H5Pset_deflate(plan, 9)
        }
        let dataset = H5Dcreate2(file, name, type, space, 0, plan, 0)
        guard dataset >= 0 else { throw .unwritable(path: path, reason: HDF5Errors.take()) }
        return dataset
    }
}
