import Geometry

/// How a device was turned over the time of a recording.
package struct OrientationTrack: Sendable, Equatable {
    /// One sample.
    package struct Sample: Sendable, Equatable {
        /// Seconds of the recording's sound.
        package var time: Double
        /// From the axes of the recorded field to the world's, z up.
        package var fieldToWorld: Quaternion

        /// A sample.
        package init(time: Double, fieldToWorld: Quaternion) { (self.time, self.fieldToWorld) = (time, fieldToWorld) }
    }

    /// In order of time.
    package private(set) var samples: [Sample] = []

    /// No samples yet.
    package init() {}

    /// Samples in order of time; those that are not are left out, and so are those without a length.
    package init(_ samples: [Sample]) {
        for sample in samples { append(sample) }
    }

    /// Adds a sample that is later than the last; false, and nothing changed, where it is not or is no rotation.
    @discardableResult
    package mutating func append(_ sample: Sample) -> Bool {
        let norm = sample.fieldToWorld.squaredNorm
        guard sample.time.isFinite, norm.isFinite, norm > 0.25, sample.time > samples.last?.time ?? -.infinity else {
            return false
        }
        samples.append(Sample(time: sample.time, fieldToWorld: sample.fieldToWorld.normalized))
        return true
    }

    /// The turn at a time: slerp between samples, the first before and the last after; identity where there is none.
    package func fieldToWorld(at time: Double) -> Quaternion {
        guard let first = samples.first, let last = samples.last else { return .identity }
        guard time > first.time else { return first.fieldToWorld }
        guard time < last.time else { return last.fieldToWorld }
        var (low, high) = (0, samples.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if samples[middle].time <= time { low = middle } else { high = middle }
        }
        let (a, b) = (samples[low], samples[high])
        return a.fieldToWorld.slerp(to: b.fieldToWorld, (time - a.time) / (b.time - a.time))
    }

    /// What the recorded field is to be turned by at a time for it to hold to something.
    ///
    /// Heading and tilt are parted as Rz(yaw)·rest, so that levelling never turns the front; where the front points
    /// straight up or down there is no heading, and the last digits decide.
    package func turn(at time: Double, _ mode: SteadyMode) -> Quaternion {
        switch mode {
        case .follow: return .identity
        case .level:
            let now = fieldToWorld(at: time)
            return (Quaternion(yaw: -now.yaw, pitch: 0, roll: 0) * now).normalized
        case .hold:
            guard let first = samples.first else { return .identity }
            return (Quaternion(yaw: -first.fieldToWorld.yaw, pitch: 0, roll: 0) * fieldToWorld(at: time)).normalized
        }
    }
}
