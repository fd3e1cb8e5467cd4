import Geometry
import HRTF

/// Cells of filter updates for new directions, without convolution.
enum UpdateGroup: CellGroup {
    static let name = "update"
    static let summary = "new filters for a direction, both ears, nothing convolved, beside libmysofa"

    static func plan() -> [CellPlan] {
        [64, 128, 256].map { slice in
            CellPlan(id: "update/slice\(slice)", group: name, isQuick: slice == 64) { bench in
                let loaded = try Fields.field(taps: 256)
                let facts = Facts(
                    slice: slice, taps: loaded.field.tapCount, sampleRate: loaded.field.sampleRate.hertz,
                    tableBytes: loaded.bytes, tablePlace: bench.machine.place(ofBytes: loaded.bytes),
                    directions: "an even turn, \(Directions.count) directions on a spiral", filters: loaded.name)
                let entries =
                    UpdateContenders.ours(loaded.field, slice: slice) + [
                        Entry { try MysofaContender(rate: loaded.field.sampleRate.hertz) }
                    ]
                return try CellWork(
                    id: "update/slice\(slice)", group: name,
                    title: "filter update alone (each interpolates in its own way, so results are not compared)",
                    unit: "ns per update, both ears", facts: facts, frames: 16, units: Double(Directions.count),
                    entries: entries
                ).measure(bench)
            }
        }
    }
}

/// Directions of the updates: 64 sources on a spiral, the head turning by a third of a degree at each step.
struct Directions {
    static let count = 64
    private let units: [SIMD3<Double>]

    init() {
        units = (0..<Directions.count).map { index in
            Direction<Head>(
                azimuthDegrees: Double(index) * 137.508, elevationDegrees: -40 + 100 * Double(index) / 64
            ).unit
        }
    }

    /// Returns the direction of a source relative to the head at a step.
    func seen(_ index: Int, step: Int) -> SIMD3<Double> {
        Rotation<Head, Head>(yaw: -Double(step % 1080) / 540 * .pi)(Direction<Head>(unit: units[index])).unit
    }
}
