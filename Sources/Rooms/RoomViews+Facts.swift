import Geometry
import SOFA

extension RoomViews {
    /// Description of a room, without responses. One process sends it to another.
    package struct Facts: Codable, Sendable {
        /// A loudspeaker: its direction as a unit vector, its head yaws in radians, and the key of each response.
        struct Source: Codable {
            var direction: [Double]?
            var yaws: [Double]
            var keys: [Int]

            /// Whether there is one key per yaw, and direction and yaws are within their ranges.
            var isPlausible: Bool {
                let isDirected = direction.map { $0.count == 3 && abs($0.reduce(-1) { $0 + $1 * $1 }) < 1e-6 } ?? true
                return isDirected && yaws.count == keys.count && !keys.isEmpty && yaws.allSatisfy { abs($0) <= 4 * .pi }
            }
        }

        /// Number of samples of each response.
        package let sampleCount: Int
        let path: String, title: String, licence: String
        let sampleRate: Double
        let sources: [Source]
        let remarks: [String]
    }

    /// Description of the room without its responses.
    package var facts: Facts {
        Facts(
            sampleCount: sampleCount, path: path, title: title, licence: licence, sampleRate: sampleRate,
            sources: sources.map { source in
                Facts.Source(
                    direction: source.direction.map { [$0.unit.x, $0.unit.y, $0.unit.z] },
                    yaws: source.views.map(\.yaw), keys: source.views.map(\.key))
            }, remarks: remarks)
    }

    /// Makes a room from a received description; `read` reads its responses. Nil if the description is implausible.
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
