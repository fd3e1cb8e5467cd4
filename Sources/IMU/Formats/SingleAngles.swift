import Geometry

/// Angles that arrive one per message, in a repeating order.
///
/// A round contains one message of each axis that is sent. An orientation is complete with the axis that was last in
/// the previous round, and in the first round with every message. A sender of all three angles gives one orientation
/// per round, and a sender of yaw alone gives one per message. A lost message costs one round.
struct SingleAngles: Sendable {
    /// Yaw, pitch, roll with Proscenium's signs, radians; each is 0 before its first message.
    private(set) var angles = SIMD3<Double>(0, 0, 0)
    private var heard: Set<OrientationProfile.Axis> = []
    private var latest: OrientationProfile.Axis?
    private var roundEnd: OrientationProfile.Axis?

    /// Stores an angle. Returns whether it completes a round.
    mutating func set(_ axis: OrientationProfile.Axis, to angle: Double) -> Bool {
        angles[axis.rawValue] = angle
        if heard.contains(axis) {
            roundEnd = latest
            heard = []
        }
        heard.insert(axis)
        latest = axis
        return roundEnd == nil || roundEnd == axis
    }
}

/// The four numbers of a quaternion that arrive one per message. The quaternion is complete when all four have arrived.
struct SingleParts: Sendable {
    /// The quaternion as sent; the identity before the first message.
    private(set) var quaternion = Quaternion.identity
    private var heard: Set<Int> = []

    /// Stores w, x, y or z (index 0 to 3). Returns whether it completes a quaternion.
    mutating func set(_ index: Int, to number: Double) -> Bool {
        switch index {
        case 0: quaternion.w = number
        case 1: quaternion.x = number
        case 2: quaternion.y = number
        default: quaternion.z = number
        }
        if heard.contains(index) { heard = [] }
        heard.insert(index)
        guard heard.count == 4 else { return false }
        heard = []
        return true
    }
}
