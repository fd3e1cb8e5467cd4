import Geometry
import Glibc

extension BinauralRoom {
    /// Returns the emitters' positions relative to the source, metres, from EmitterPosition of shape E×3, E×3×1 or
    /// E×3×M (E emitters, M measurements). Throws for other shapes, and for positions that differ between measurements
    /// or are not numbers. Without the variable the result is one emitter at the source.
    static func emitterPositions(
        _ file: HDF5File, measurements: Int, _ remarks: inout [String]
    ) throws(SOFAError) -> [SIMD3<Double>] {
        let name = "EmitterPosition"
        guard try file.has(name) else { return [.zero] }
        let (values, shape) = try file.doubles(name, most: 3 * mostEmitters * measurements)
        guard shape.count == 2 || shape.count == 3, shape[1] == 3, !values.isEmpty, values.count == shape.reduce(1, *)
        else {
            throw .shape(path: file.path, variable: name, found: shape, expected: "emitters × 3 × 1")
        }
        let depth = shape.count == 3 ? shape[2] : 1
        let type = try CoordinateType(
            type: file.text("Type", of: name), units: file.text("Units", of: name), variable: name, path: file.path,
            otherwise: .cartesian, &remarks)
        var positions: [SIMD3<Double>] = []
        for emitter in 0..<shape[0] {
            var triple = SIMD3<Double>.zero
            for axis in 0..<3 {
                let row = values[((emitter * 3 + axis) * depth)..<((emitter * 3 + axis + 1) * depth)]
                guard let first = row.first, row.allSatisfy({ abs($0 - first) < 1e-6 }), abs(first) < 1e6 else {
                    throw .value(
                        path: file.path, variable: name,
                        problem: "is not a number, or moves between measurements (emitter \(emitter))")
                }
                triple[axis] = first
            }
            positions.append(type.cartesian(triple))
        }
        return positions
    }

    /// Returns the head and loudspeakers of each measurement. `emitters`: positions relative to the source; nil for one
    /// loudspeaker at the source's position.
    static func measurements(
        _ variables: SOFAVariables, emitters: [SIMD3<Double>]?, _ remarks: inout [String]
    ) throws(SOFAError) -> [Measurement] {
        let name = "SourcePosition"
        let count = variables.measurements
        let sources = try variables.positions(name, &remarks)
        let listeners =
            try variables.file.has("ListenerPosition")
            ? variables.positions("ListenerPosition", &remarks).map(\.cartesian) : [.zero]
        let heads = try variables.orientation(&remarks)
        let hasAxes = try variables.file.has("SourceView")
        let axes = try variables.orientation(&remarks, of: "Source")
        for rows in [sources.count, listeners.count, heads.count, axes.count] where rows != 1 && rows != count {
            throw .shape(path: variables.file.path, variable: name, found: [rows, 3], expected: "\(count)×3 or 1×3")
        }
        return (0..<count).map { index in
            let source = sources[sources.count == 1 ? 0 : index]
            let listener = listeners[listeners.count == 1 ? 0 : index]
            let head = heads[heads.count == 1 ? 0 : index]
            let frame = axes[axes.count == 1 ? 0 : index]
            var offsets: [SIMD3<Double>]
            if let emitters {
                // Without SourceView the emitters have the axes of the room.
                offsets = emitters.map { emitter in
                    source.cartesian + (hasAxes ? frame.toRoom(emitter) : emitter) - listener
                }
            } else {
                // A spherical position of radius 0 still has a direction.
                let offset = source.cartesian - listener
                offsets = [(offset * offset).sum() > 1e-12 ? offset : source.unit]
            }
            for place in offsets.indices where (offsets[place] * offsets[place]).sum() < 1e-12 {
                offsets[place] = head.front
            }
            return Measurement(
                yaw: atan2(head.front.y, head.front.x), pitch: asin(max(-1, min(1, head.front.z))),
                listener: listener, offsets: offsets)
        }
    }
}
