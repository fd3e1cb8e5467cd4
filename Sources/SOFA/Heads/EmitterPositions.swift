import Geometry

/// EmitterPosition of a head: loudspeakers around it, or the radius of spherical harmonics.
enum EmitterPositions {
    case places([SIMD3<Double>])
    case harmonics(radius: Double)

    /// Reads the variable. For loudspeakers its shape is E×3, E×3×1 or E×3×M (E emitters, M measurements), with the
    /// same positions in all measurements.
    init(_ file: HDF5File, measurements: Int, _ remarks: inout [String]) throws(SOFAError) {
        let name = "EmitterPosition"
        guard try file.has(name) else { throw .incomplete(path: file.path, missing: "variable \(name)") }
        let type = try file.text("Type", of: name)?.lowercased() ?? ""
        guard type.contains("harmonic") else {
            self = .places(try BinauralRoom.emitterPositions(file, measurements: measurements, &remarks))
            return
        }
        // AES69 stores the radius as the third number; some files store only the radius.
        let (values, shape) = try file.doubles(name, most: 3 * BinauralRoom.mostEmitters * 8)
        var radius = values.count == 1 ? values[0] : 0
        if values.count >= 3, shape.count == 1 { radius = values[2] }
        if values.count >= 3, shape.count >= 2, shape[1] == 3 { radius = values[2 * (values.count / (3 * shape[0]))] }
        guard radius.isFinite, radius >= 0, radius < 1e6 else {
            throw .value(path: file.path, variable: name, problem: "has the radius \(radius)")
        }
        self = .harmonics(radius: radius)
    }
}
