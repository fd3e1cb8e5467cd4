import Geometry

extension SOFAVariables {
    /// Returns the positions of the receivers in the first measurement, metres in the head's axes (x front, y left).
    /// Nil unless the file has positions of exactly two receivers, of shape 2×3, 2×3×1 or 2×3×M (M measurements),
    /// cartesian or spherical.
    func receivers(_ remarks: inout [String]) throws(SOFAError) -> [SIMD3<Double>]? {
        let name = "ReceiverPosition"
        guard try file.has(name) else { return nil }
        let (values, shape) = try file.doubles(name, most: 6 * measurements)
        guard shape.count == 2 || shape.count == 3, shape[0] == 2, shape[1] == 3, values.count % 6 == 0,
            !values.isEmpty
        else { return nil }
        let depth = values.count / 6
        let type = try CoordinateType(
            type: file.text("Type", of: name), units: file.text("Units", of: name), variable: name, path: file.path,
            otherwise: .cartesian, &remarks)
        let places = (0..<2).map { receiver -> SIMD3<Double> in
            type.cartesian(SIMD3((0..<3).map { values[(receiver * 3 + $0) * depth] }))
        }
        return places.allSatisfy { ($0 * $0).sum().isFinite } ? places : nil
    }
}
