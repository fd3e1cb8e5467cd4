/// Angles that arrive one per message, in some order that repeats.
///
/// An orientation is complete with the message that came last in the round before: a sender of all three yields one
/// orientation per round, a sender of yaw alone one per message, and a lost message costs one round.
struct SingleAngles: Sendable {
    /// Our yaw, pitch, roll in radians; 0 until heard.
    private(set) var angles = SIMD3<Double>(0, 0, 0)
    private var heard: Set<OrientationProfile.Axis> = []
    private var latest: OrientationProfile.Axis?
    private var roundEnd: OrientationProfile.Axis?

    /// Takes an angle and says whether it completes a round.
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
