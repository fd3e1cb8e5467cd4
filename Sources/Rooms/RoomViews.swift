import Geometry

/// A measured room before preparation: its loudspeakers, the head yaws of their measurements, and a reader of
/// responses.
package struct RoomViews {
    /// One loudspeaker in the room.
    package struct Source {
        /// Direction of the loudspeaker for a head that faces the front; nil if unknown.
        package var direction: Direction<Stage>?
        /// Head yaws of the measurements, radians counter-clockwise, and the key of each response.
        package var views: [(yaw: Double, key: Int)]

        /// Makes a loudspeaker from its direction and views.
        package init(direction: Direction<Stage>?, views: [(yaw: Double, key: Int)]) {
            self.direction = direction
            self.views = views
        }
    }

    /// Path of the file or folder, for messages.
    package var path: String
    /// Title of the room.
    package var title: String
    /// Licence of the room as the file states it, or a note that it states none.
    package var licence: String
    /// Sample rate of the responses, hertz.
    package var sampleRate: Double
    /// Number of samples of each response.
    package var sampleCount: Int
    /// Loudspeakers, at least one, each with at least one view.
    package var sources: [Source]
    /// Anomalies of the room, one sentence each.
    package var remarks: [String]
    /// Reads the left and right response of a key: the first `frames` of its `sampleCount` samples, all finite.
    package var read: (_ key: Int, _ frames: Int) throws(RoomError) -> (left: [Float], right: [Float])

    /// Makes a room from its parts.
    package init(
        path: String, title: String, licence: String, sampleRate: Double, sampleCount: Int, sources: [Source],
        remarks: [String],
        read: @escaping (_ key: Int, _ frames: Int) throws(RoomError) -> (left: [Float], right: [Float])
    ) {
        self.path = path
        self.title = title
        self.licence = licence
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.sources = sources
        self.remarks = remarks
        self.read = read
    }

    /// Least duration of a room response, seconds: even in a small room first reflections may arrive this late.
    private static let shortestRoom = 0.02

    /// Returns a remark on responses shorter than `shortestRoom`; nil for longer ones.
    package static func shortness(samples: Int, rate: Double) -> String? {
        let seconds = Double(samples) / rate
        guard seconds < shortestRoom else { return nil }
        return "its responses last only \((seconds * 10_000).rounded() / 10) ms: shorter than the reverberation of any "
            + "room"
    }
}
