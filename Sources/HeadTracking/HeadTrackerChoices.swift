extension HeadTrackerOptions {
    /// Parameters of head tracking that the user may change during a session.
    ///
    /// The effects of the parameters in the group `tracking` set these properties, and no other options. A motion log
    /// has all of them under their names, beside an entry `time`. A property that is absent from a log has its default.
    package struct Choices: Codable, Hashable, Sendable {
        /// Reference of the head's orientation. A change is eased over `choiceDuration`; the sound in front stays in
        /// front. Default `.device`.
        package var reference = Reference.device
        /// Shares of the head's yaw, pitch and roll that the stage follows, each 0…1; see `Quaternion.following`. A
        /// change is eased over `choiceDuration`. Default 1 each.
        @AxisShares package var follow = SIMD3<Double>(1, 1, 1)
        /// Degrees per second by which the yaw of the head relative to the device is pulled to the front, because two
        /// gyroscopes have no common north and drift apart. The pull acts only on fresh streams, while the yaw is below
        /// `yawPullRange` and the head slower than `yawPullSpeed`. A known error above 0.5° is corrected at the same
        /// rate, at any yaw and speed. A single tracker that sends orientations has a north of its own, and is pulled
        /// only by a rate above the default. 0 turns the pull off. Default 0.1°/s.
        package var yawPull = 0.1

        /// Creates the defaults.
        package init() {}

        /// Fault of choices that were read from a motion log; nil if there is none.
        package var flaw: String? {
            if ![follow.x, follow.y, follow.z].allSatisfy({ (0...1).contains($0) }) {
                return "'follow' contains a share outside 0…1"
            }
            return (0...10).contains(yawPull) ? nil : "'yawPull' is \(yawPull), outside 0…10 degrees per second"
        }

        /// Error of choices that cannot be read.
        package struct Fault: Error {
            /// The entry and its fault.
            package let reason: String
        }
    }

    /// Reference of the head's orientation.
    package enum Reference: String, Codable, Hashable, Sendable, CaseIterable {
        /// The device or vehicle, after its first estimate; before that the same as `head`.
        case device
        /// The earth, as the head's tracker measures it, with an arbitrary heading. The device has no effect.
        case head
        /// No reference: the sound stage stays in front of the listener.
        case still = "static"

        /// Decodes the reference from its name. Throws `Choices.Fault` for an unknown name.
        package init(from decoder: any Decoder) throws {
            let name = try decoder.singleValueContainer().decode(String.self)
            guard let reference = Self(rawValue: name) else {
                let names = Self.allCases.map(\.rawValue)
                let known = names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
                throw Choices.Fault(reason: "'reference' is \(known), not '\(name)'")
            }
            self = reference
        }
    }

    /// Shares of yaw, pitch and roll, in text form a list of three numbers. They are stored as three numbers, because
    /// the frames of asynchronous functions do not keep the alignment of vectors (Swift 6.3).
    @propertyWrapper
    package struct AxisShares: Codable, Hashable, Sendable {
        private var yaw: Double
        private var pitch: Double
        private var roll: Double

        /// The three shares.
        package var wrappedValue: SIMD3<Double> {
            get { SIMD3(yaw, pitch, roll) }
            set { (yaw, pitch, roll) = (newValue.x, newValue.y, newValue.z) }
        }

        /// Stores three shares.
        package init(wrappedValue: SIMD3<Double>) {
            (yaw, pitch, roll) = (wrappedValue.x, wrappedValue.y, wrappedValue.z)
        }

        /// Decodes a list of numbers. Throws `Choices.Fault` if it does not have three.
        package init(from decoder: any Decoder) throws {
            let numbers = try [Double](from: decoder)
            guard numbers.count == 3 else {
                let name = decoder.codingPath.last?.stringValue ?? ""
                throw Choices.Fault(reason: "'\(name)' has \(numbers.count) numbers, not three")
            }
            self.init(wrappedValue: SIMD3(numbers[0], numbers[1], numbers[2]))
        }

        /// Encodes the list.
        package func encode(to encoder: any Encoder) throws { try [yaw, pitch, roll].encode(to: encoder) }
    }
}
