import Geometry
import SOFA

/// Which measurements of a set lie in a direction that an earlier one has, and whether they say the same.
struct RepeatedDirections {
    /// The first measurement of each direction, in the file's order; no two within 0.005°.
    private(set) var first: [Int] = []
    /// Measurements that repeat a direction.
    private(set) var count = 0
    /// Directions with a repetition whose responses are other ones.
    private(set) var contradicted = 0

    /// Below this likeness two measurements are no takes of one head: noise, level and a new fit of the microphones
    /// leave takes above 0.8.
    private static let leastLikeness = 0.5

    /// Looks through some measurements of a file; O(measurements · samples).
    init(_ file: FreeFieldHRIR, of measurements: [Int]) {
        var places: [SIMD3<Int32>: Int] = [:]
        var isContradicted: [Bool] = []
        for index in measurements {
            // 1e-4 of the radius: 0.006°.
            let unit = (file.directions[index].unit * 1e4).rounded(.toNearestOrEven)
            let key = SIMD3<Int32>(Int32(unit.x), Int32(unit.y), Int32(unit.z))
            guard let place = places[key] else {
                places[key] = first.count
                first.append(index)
                isContradicted.append(false)
                continue
            }
            count += 1
            if !isContradicted[place], Self.likeness(file, first[place], index) < Self.leastLikeness {
                isContradicted[place] = true
            }
        }
        contradicted = isContradicted.count { $0 }
    }

    /// How alike two measurements are, both ears together: 2·⟨a, b⟩ / (‖a‖² + ‖b‖²), −1…1; 1 where they are equal.
    private static func likeness(_ file: FreeFieldHRIR, _ one: Int, _ other: Int) -> Double {
        let length = 2 * file.sampleCount
        return file.responses.withUnsafeBufferPointer { responses in
            var (product, energy) = (0.0, 0.0)
            for sample in 0..<length {
                let (a, b) = (Double(responses[one * length + sample]), Double(responses[other * length + sample]))
                product += a * b
                energy += a * a + b * b
            }
            return energy > 0 ? 2 * product / energy : 1
        }
    }
}
