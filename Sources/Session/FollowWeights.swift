/// How much of each turn of the head the stage makes up for: 1 all of it, 0 nothing.
package struct FollowWeights: Sendable, Equatable {
    /// 0…1.
    package var yaw: Double
    /// 0…1.
    package var pitch: Double
    /// 0…1.
    package var roll: Double

    /// All of it unless told otherwise; `nil` where a weight is not within 0…1.
    package init?(yaw: Double, pitch: Double, roll: Double) {
        guard [yaw, pitch, roll].allSatisfy({ (0...1).contains($0) }) else { return nil }
        (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
    }

    /// All of it.
    package init() { (yaw, pitch, roll) = (1, 1, 1) }

    /// For the head tracker. Three numbers elsewhere: the frames of asynchronous functions do not keep the alignment of
    /// vectors (Swift 6.3).
    var vector: SIMD3<Double> { SIMD3(yaw, pitch, roll) }
}
