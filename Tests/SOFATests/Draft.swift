import CHDF5
import Foundation
import Geometry

@testable import SOFA

/// Draft of a SOFA file: valid until a test spoils it.
struct Draft {
    var attributes = [
        "Conventions": "SOFA", "Version": "2.1", "SOFAConventions": "SimpleFreeFieldHRIR", "DataType": "FIR",
        "Title": "draft",
    ]
    var variables: [String: (values: [Double], shape: [Int], attributes: [(String, String)])] = [:]
    /// Last changes to the open file; nil without any.
    var finish: ((hid_t) -> Void)?

    /// Six directions, 32 samples: a click per ear, the nearer ear first.
    init() {
        let azimuths = [0.0, 45, 90, 180, 270, 315]
        var responses: [Double] = []
        for azimuth in azimuths {
            let lag = Int((5 * sin(azimuth * .pi / 180)).rounded())
            for ear in 0..<2 {
                var row = [Double](repeating: 0, count: 32)
                row[10 + (ear == 0 ? -lag : lag)] = 1
                responses += row
            }
        }
        variables["Data.IR"] = (responses, [6, 2, 32], [])
        variables["Data.SamplingRate"] = ([48_000], [1], [("Units", "hertz")])
        variables["Data.Delay"] = ([0, 0], [1, 2], [])
        variables["SourcePosition"] = (
            azimuths.flatMap { [$0, 10, 1.5] }, [6, 3], [("Type", "spherical"), ("Units", "degree, degree, metre")]
        )
        variables["ListenerPosition"] = ([0, 0, 0], [1, 3], [("Type", "cartesian"), ("Units", "metre")])
        variables["ListenerView"] = ([1, 0, 0], [1, 3], [("Type", "cartesian"), ("Units", "metre")])
        variables["ListenerUp"] = ([0, 0, 1], [1, 3], [])
    }

    /// Writes the file, the same bytes for the same draft, and returns its path. `isLatest`: in HDF5's newest format,
    /// otherwise in its oldest. `userBlock`: bytes before HDF5's own.
    func write(_ name: String = "draft.sofa", isLatest: Bool = false, userBlock: Int = 0) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sofa-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent(name).path
        let creation = H5Pcreate(chdf5_file_create())
        let access = H5Pcreate(chdf5_file_access())
        defer {
            H5Pclose(creation)
            H5Pclose(access)
        }
        H5Pset_userblock(creation, hsize_t(userBlock))
        if isLatest { H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) }
        // Without locks: for a moment, a process started by another test would hold the lock of a file closed here.
        H5Pset_file_locking(access, false, true)
        let file = H5Fcreate(path, chdf5_truncate(), creation, access)
        let writer = HDF5Writer(file: file, path: path)
        // Sorted by name: the order of a dictionary changes from run to run.
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) { try writer.attribute(key, value) }
        for (key, value) in variables.sorted(by: { $0.key < $1.key }) {
            try writer.doubles(key, value.values, value.shape, value.attributes)
        }
        finish?(file)
        H5Fclose(file)
        return path
    }

    /// Writes the file, reads it, and returns the set.
    func read() throws -> FreeFieldHRIR {
        let path = try write()
        defer { Draft.remove(path) }
        return try FreeFieldHRIR(contentsOf: path)
    }

    /// Returns the error of reading the file; nil without one.
    func complaint() throws -> SOFAError? {
        let path = try write()
        defer { Draft.remove(path) }
        return SOFATests.complaint(path)
    }

    static func remove(_ path: String) {
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}

/// Returns the error of reading `path`; nil without one.
func complaint(_ path: String) -> SOFAError? {
    do {
        _ = try FreeFieldHRIR(contentsOf: path)
        return nil
    } catch {
        return error
    }
}

/// Writes a file of these bytes; the caller removes its folder with `Draft.remove`.
func file(_ bytes: [UInt8]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sofa-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("file.sofa").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
}
