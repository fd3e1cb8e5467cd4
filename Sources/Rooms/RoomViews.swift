import Geometry

/// A measured room before it is prepared: which source was heard with the head turned which way, and where to read it.
package struct RoomViews {
    /// One loudspeaker in the room.
    package struct Source {
        /// Direction of the loudspeaker for a head that faces the front; nil where unknown.
        package var direction: Direction<Stage>?
        /// Head yaws of the measurements, radians counter-clockwise, and the key of each response.
        package var views: [(yaw: Double, key: Int)]

        /// Stores a loudspeaker's direction and views.
        package init(direction: Direction<Stage>?, views: [(yaw: Double, key: Int)]) {
            self.direction = direction
            self.views = views
        }
    }

    /// The file or folder, for messages.
    package var path: String
    /// Title of the room.
    package var title: String
    /// Licence of the room, as the file states it.
    package var licence: String
    /// Samples per second of the responses.
    package var sampleRate: Double
    /// Samples of each response.
    package var sampleCount: Int
    /// The loudspeakers, never empty; each has a view.
    package var sources: [Source]
    /// Anomalies of the room, one sentence each.
    package var remarks: [String]
    /// Reads the left and right response of a key: the first so many of its `sampleCount` samples each, finite.
    package var read: (_ key: Int, _ frames: Int) throws(RoomError) -> (left: [Float], right: [Float])

    /// Stores the room's facts.
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

    /// Responses shorter than this, seconds, hold no room: the first reflections of a small one come as late.
    private static let shortestRoom = 0.02

    /// What is to be said of responses that are shorter than any room rings; nil of others.
    package static func shortness(samples: Int, rate: Double) -> String? {
        let seconds = Double(samples) / rate
        guard seconds < shortestRoom else { return nil }
        return "its responses last only \((seconds * 10_000).rounded() / 10) ms: shorter than any room rings"
    }
}
