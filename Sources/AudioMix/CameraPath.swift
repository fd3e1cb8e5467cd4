import Signal

/// Heading and field of view of a camera over the time of a recording.
package struct CameraPath: Hashable, Sendable {
    /// Heading and field of view at one time.
    package struct Key: BitwiseCopyable, Hashable, Sendable {
        /// Time in the recording, seconds.
        package var seconds: Double
        /// Azimuth of the camera's axis, counter-clockwise from the front, radians.
        package var heading: Double
        /// Full angle of the field of view, radians, 0…2π. Nil uses the angle of the controls.
        package var field: Double?

        /// Creates a key.
        package init(seconds: Double, heading: Double, field: Double? = nil) {
            (self.seconds, self.heading, self.field) = (seconds, heading, field)
        }
    }

    /// Keys in order of time, at least one. Headings are unwrapped, so that interpolation turns in the shorter
    /// direction.
    package let keys: [Key]

    /// Creates a path through keys. Returns nil without keys, if the times do not increase, or if a value is not
    /// finite.
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

    /// Returns the view at a time. It is linear between keys, and constant before the first key and after the last.
    /// Cost: O(log keys).
    package func view(at seconds: Double) -> CameraView {
        var (low, high) = (0, keys.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if keys[middle].seconds <= seconds { low = middle } else { high = middle }
        }
        return CameraView(between: keys[low], keys[high], at: seconds)
    }
}

/// Camera of a path at one time, as a change of `AudioMixControls`.
package struct CameraView: BitwiseCopyable, Codable, Hashable, Sendable {
    /// Angle added to the heading of the controls, radians.
    package var heading: Float
    /// Field of view, radians, that replaces the angle of the controls. Nil uses the angle of the controls.
    package var field: Float?

    /// View if there is no path: the controls apply unchanged.
    package static var controls: CameraView { @_noLocks get { CameraView(heading: 0, field: nil) } }

    @_noLocks
    init(heading: Float, field: Float?) { (self.heading, self.field) = (heading, field) }

    /// Interpolates between two keys. Times outside them use the nearer key. The field of view is nil unless both keys
    /// have one.
    @_noLocks
    init(between a: CameraPath.Key, _ b: CameraPath.Key, at seconds: Double) {
        let length = b.seconds - a.seconds
        let share = length > 0 ? max(0, min(1, (seconds - a.seconds) / length)) : 0
        heading = Float(a.heading + share * (b.heading - a.heading))
        field = nil
        if let from = a.field, let to = b.field { field = Float(from + share * (to - from)) }
    }
}

/// Camera path for the audio thread. It is read in order of time.
struct CameraCourse: ~Copyable {
    private let keys: Row<CameraPath.Key>
    /// Index of the last key that was passed.
    private var last = 0

    /// Starts before the first key. If `path` is nil, there is no view.
    init(_ path: CameraPath?) {
        let moments = path?.keys ?? []
        keys = Row(moments.count, CameraPath.Key(seconds: 0, heading: 0))
        for (place, key) in moments.enumerated() { keys.base[place] = key }
    }

    /// Returns to the start of the path.
    @_noLocks
    mutating func reset() { last = 0 }

    /// Returns the view at `seconds`, or nil without a path. Successive times must not decrease.
    @_noLocks
    mutating func view(at seconds: Double) -> CameraView? {
        guard keys.count > 0 else { return nil }
        while last + 1 < keys.count, keys.base[last + 1].seconds <= seconds { last += 1 }
        return CameraView(between: keys.base[last], keys.base[min(last + 1, keys.count - 1)], at: seconds)
    }
}
