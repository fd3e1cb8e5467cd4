import CHDF5
import Geometry
import Glibc

extension FreeFieldHRIR {
    /// Writes the set as a SimpleFreeFieldHRIR file (AES69-2022, SOFA 2.1, convention 1.0), replacing what is at `path`.
    ///
    /// Responses are stored as 32-bit floats, shuffled and deflated; positions are spherical, in degrees and metres.
    /// The file appears under its name only when complete. Attributes of `attributes` win over the defaults.
    package func write(to path: String) throws(SOFAError) {
        HDF5Errors.silence()
        let partial = path + ".partial"
        let file = H5Fcreate(partial, chdf5_truncate(), 0, 0)
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
        try writer.doubles("ListenerPosition", [0, 0, 0], [1, 3], cartesian)
        try writer.doubles("ListenerView", [1, 0, 0], [1, 3], cartesian)
        try writer.doubles("ListenerUp", [0, 0, 1], [1, 3], cartesian)
        try writer.doubles("ReceiverPosition", [0, 0.09, 0, 0, -0.09, 0], [2, 3, 1], cartesian)
        try writer.doubles("EmitterPosition", [0, 0, 0], [1, 3, 1], cartesian)
        var positions: [Double] = []
        for (direction, distance) in zip(directions, distances) {
            let degrees = direction.azimuth * 180 / .pi
            positions += [degrees < 0 ? degrees + 360 : degrees, direction.elevation * 180 / .pi, distance]
        }
        try writer.doubles(
            "SourcePosition", positions, [m, 3], [("Type", "spherical"), ("Units", "degree, degree, metre")])
        try writer.doubles("Data.SamplingRate", [sampleRate], [1], [("Units", "hertz")])
        if delays.allSatisfy({ $0 == 0 }) {
            try writer.doubles("Data.Delay", [0, 0], [1, 2], [])
        } else {
            try writer.doubles("Data.Delay", delays, [m, 2], [])
        }
        try writer.floats("Data.IR", responses, [m, 2, sampleCount])
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

    private func attribute(_ name: String, _ value: String, on owner: hid_t) throws(SOFAError) {
        let bytes = Array(value.utf8)
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
        _ name: String, _ values: [Double], _ shape: [Int], _ attributes: [(String, String)]
    ) throws(SOFAError) {
        let dataset = try create(name, chdf5_ieee_f64le(), shape, isPacked: values.count > 64)
        defer { H5Dclose(dataset) }
        guard H5Dwrite(dataset, chdf5_native_double(), 0, 0, 0, values) >= 0 else {
            throw .unwritable(path: path, reason: HDF5Errors.take())
        }
        for (key, value) in attributes { try attribute(key, value, on: dataset) }
    }

    /// A variable of floats.
    func floats(_ name: String, _ values: [Float], _ shape: [Int]) throws(SOFAError) {
        let dataset = try create(name, chdf5_ieee_f32le(), shape, isPacked: true)
        defer { H5Dclose(dataset) }
        guard H5Dwrite(dataset, chdf5_native_float(), 0, 0, 0, values) >= 0 else {
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
