import Geometry
import SOFA

/// Measurements of a set that repeat the direction of an earlier one, and whether their responses agree.
struct RepeatedDirections {
    /// First measurement of each direction, in the file's order. Directions are distinct if their unit vectors differ
    /// when rounded to 1e-4.
    private(set) var first: [Int] = []
    /// Number of measurements that repeat a direction.
    private(set) var count = 0
    /// Number of directions whose repetitions have different responses.
    private(set) var contradicted = 0

    /// Similarity below which two measurements do not belong to one head. Repeated measurements with noise, other
    /// levels and refitted microphones stay above 0.8.
    private static let leastLikeness = 0.5

    /// Compares some measurements of a file. O(measurements · samples).
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

    /// Returns the similarity of two measurements over both ears: 2·⟨a, b⟩ / (‖a‖² + ‖b‖²), −1…1; 1 if they are equal.
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
