import Signal

/// Where a camera looks over the time of a recording, and how much it sees.
package struct CameraPath: Hashable, Sendable {
    /// One moment of it.
    package struct Key: BitwiseCopyable, Hashable, Sendable {
        /// Seconds of the recording.
        package var seconds: Double
        /// Azimuth counter-clockwise from the front, radians.
        package var heading: Double
        /// The whole angle it sees, radians, 0…2π; nil: what the controls say.
        package var field: Double?

        /// A moment.
        package init(seconds: Double, heading: Double, field: Double? = nil) {
            (self.seconds, self.heading, self.field) = (seconds, heading, field)
        }
    }

    /// In order of time, at least one; headings go on beyond a turn, so that those between are the short way round.
    package let keys: [Key]

    /// A path through moments; nil where there is none, where their times do not rise or something is not finite.
    package init?(_ moments: [Key]) {
        var made: [Key] = []
        for var key in moments {
            guard key.seconds.isFinite, key.heading.isFinite, key.field?.isFinite ?? true else { return nil }
            if let last = made.last {
                guard key.seconds > last.seconds else { return nil }
                key.heading = last.heading + (key.heading - last.heading).remainder(dividingBy: 2 * .pi)
            }
            made.append(key)
        }
        guard !made.isEmpty else { return nil }
        keys = made
    }

    /// What it sees at a time: along lines between the moments, held at the ends. O(log keys).
    package func view(at seconds: Double) -> CameraView {
        var (low, high) = (0, keys.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if keys[middle].seconds <= seconds { low = middle } else { high = middle }
        }
        return CameraView(between: keys[low], keys[high], at: seconds)
    }
}

/// What a path adds to the camera that the controls describe.
package struct CameraView: BitwiseCopyable, Hashable, Sendable {
    /// What is added to the heading, radians.
    package var heading: Float
    /// The angle it sees, radians, instead of the controls'; nil: theirs.
    package var field: Float?

    /// No path: the controls say all.
    package static var controls: CameraView { @_noLocks get { CameraView(heading: 0, field: nil) } }

    @_noLocks
    init(heading: Float, field: Float?) { (self.heading, self.field) = (heading, field) }

    /// What is seen between two moments, or at one of them before and after.
    @_noLocks
    init(between a: CameraPath.Key, _ b: CameraPath.Key, at seconds: Double) {
        let length = b.seconds - a.seconds
        let share = length > 0 ? max(0, min(1, (seconds - a.seconds) / length)) : 0
        heading = Float(a.heading + share * (b.heading - a.heading))
        field = nil
        if let from = a.field, let to = b.field { field = Float(from + share * (to - from)) }
    }
}

/// A path on the audio thread, where time goes on.
struct CameraCourse: ~Copyable {
    private let keys: Row<CameraPath.Key>
    private var last = 0

    /// Before the path's beginning; nil: none is followed.
    init(_ path: CameraPath?) {
        let moments = path?.keys ?? []
        keys = Row(moments.count, CameraPath.Key(seconds: 0, heading: 0))
        for (place, key) in moments.enumerated() { keys.base[place] = key }
    }

    /// Begins again.
    @_noLocks
    mutating func reset() { last = 0 }

    /// What is seen at a time no earlier than that of the last call; nil without a path.
    @_noLocks
    mutating func view(at seconds: Double) -> CameraView? {
        guard keys.count > 0 else { return nil }
        while last + 1 < keys.count, keys.base[last + 1].seconds <= seconds { last += 1 }
        return CameraView(between: keys.base[last], keys.base[min(last + 1, keys.count - 1)], at: seconds)
    }
}
