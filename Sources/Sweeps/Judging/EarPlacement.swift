import Geometry
import Glibc
import HRTF

/// Compares the times between the ears with the directions of the loudspeakers. Finds exchanged microphones, and
/// loudspeakers that played on wrong channels.
package enum EarPlacement {
    /// A loudspeaker's direction from the head, and how much later its sound is at the left ear than at the right,
    /// seconds.
    package struct Heard: Sendable {
        package var loudspeaker: String
        package var direction: Direction<Head>
        package var interauralTime: Double

        /// Creates the result of a measurement.
        package init(loudspeaker: String, direction: Direction<Head>, interauralTime: Double) {
            self.loudspeaker = loudspeaker
            self.direction = direction
            self.interauralTime = interauralTime
        }
    }

    /// Least expected time between the ears of a loudspeaker that counts as standing to the side, seconds.
    private static let lateral = 0.00015
    /// Largest accepted deviation of a measured time from a sphere's (`expected`), seconds. Heads deviate by about half
    /// as much.
    private static let deviation = 0.00028

    /// Returns the time between the ears of a rigid sphere at low frequencies, left less right, seconds: 3/2 of the
    /// straight path difference, divided by the speed of sound (Kuhn, JASA 62 (1977), eq. 8).
    static func expected(_ direction: Direction<Head>) -> Double {
        -3 * RigidSphere.averageRadius / RigidSphere.speedOfSound * direction.unit.y
    }

    /// Returns the faults of loudspeakers that were measured together, by their index in `heard`.
    ///
    /// A loudspeaker is mirrored if it stands to the side and is heard on the opposite side by more than 0.1 ms. If at
    /// least two loudspeakers, and more than half of those at the sides, are mirrored, the ears are exchanged, unless
    /// `earsAreKnown`. All loudspeakers then have this fault. Otherwise each mirrored loudspeaker played on a wrong
    /// channel, and so did each one whose time deviates from a sphere's by more than `deviation`.
    ///
    /// - Parameter earsAreKnown: whether earlier takes have shown that the ears are not exchanged.
    package static func faults(_ heard: [Heard], earsAreKnown: Bool) -> [Int: TakeFault] {
        let expected = heard.map { Self.expected($0.direction) }
        let sides = heard.indices.filter { abs(expected[$0]) >= lateral }
        let mirrored = sides.filter {
            heard[$0].interauralTime * expected[$0] < 0 && abs(heard[$0].interauralTime) > 0.0001
        }
        if !earsAreKnown, mirrored.count >= 2, 2 * mirrored.count > sides.count {
            return Dictionary(uniqueKeysWithValues: heard.indices.map { ($0, .swappedEars) })
        }
        var faults: [Int: TakeFault] = [:]
        for index in heard.indices {
            let time = heard[index].interauralTime
            if mirrored.contains(index) {
                let side = expected[index] < 0 ? ("left", "right") : ("right", "left")
                let doubt = earsAreKnown || sides.count > 1 ? "" : ", or the microphones are exchanged"
                faults[index] = .wrongChannel(
                    loudspeaker: heard[index].loudspeaker,
                    reason:
                        "stands on the \(side.0) and is heard from the \(side.1); another loudspeaker played\(doubt)")
            } else if abs(time - expected[index]) > deviation {
                faults[index] = .wrongChannel(
                    loudspeaker: heard[index].loudspeaker,
                    reason:
                        "its sound reaches the ears \(Int((time * 1e6).rounded())) µs apart; at its position "
                        + "\(Int((expected[index] * 1e6).rounded())) µs are expected: another loudspeaker played")
            }
        }
        return faults
    }
}
