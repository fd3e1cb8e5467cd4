import Geometry
import SOFA

extension RoomViews {
    /// A room without what reads its responses, as one process tells it to another.
    package struct Facts: Codable, Sendable {
        /// A loudspeaker: its direction as a unit vector, and the turns of the head (radians) with the key of each
        /// response.
        struct Source: Codable {
            var direction: [Double]?
            var yaws: [Double]
            var keys: [Int]

            /// Whether it has a key for each turn, and numbers that are such.
            var isPlausible: Bool {
                let isDirected = direction.map { $0.count == 3 && abs($0.reduce(-1) { $0 + $1 * $1 }) < 1e-6 } ?? true
                return isDirected && yaws.count == keys.count && !keys.isEmpty && yaws.allSatisfy { abs($0) <= 4 * .pi }
            }
        }

        /// Samples of each response.
        package let sampleCount: Int
        let path: String, title: String, licence: String
        let sampleRate: Double
        let sources: [Source]
        let remarks: [String]
    }

    /// Remarks.
    package var facts: Facts {
        Facts(
            sampleCount: sampleCount, path: path, title: title, licence: licence, sampleRate: sampleRate,
            sources: sources.map { source in
                Facts.Source(
                    direction: source.direction.map { [$0.unit.x, $0.unit.y, $0.unit.z] },
                    yaws: source.views.map(\.yaw), keys: source.views.map(\.key))
            }, remarks: remarks)
    }

    /// A room as it was told, whose responses `read` gets; nil where it is none.
    package init?(
        _ facts: Facts,
        read: @escaping (_ key: Int, _ frames: Int) throws(RoomError) -> (left: [Float], right: [Float])
    ) {
        guard SOFALimits.sampleRates.contains(facts.sampleRate), SOFALimits.samples.contains(facts.sampleCount),
            !facts.sources.isEmpty, facts.sources.allSatisfy(\.isPlausible)
        else { return nil }
        self.init(
            path: facts.path, title: facts.title, licence: facts.licence, sampleRate: facts.sampleRate,
            sampleCount: facts.sampleCount,
            sources: facts.sources.map { source in
                Source(
                    direction: source.direction.map { Direction(unit: SIMD3($0)) },
                    views: Array(zip(source.yaws, source.keys)).map { (yaw: $0, key: $1) })
            }, remarks: facts.remarks, read: read)
    }
}
