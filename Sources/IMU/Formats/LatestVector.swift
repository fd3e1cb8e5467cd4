/// A vector that comes in messages of its own, kept for the messages it belongs to.
///
/// It serves `greatestUses` of them: sensors of one tracker run at different rates, but one that has fallen silent says
/// nothing of the present.
struct LatestVector: Sendable {
    /// An accelerometer at 50 Hz serves a gyroscope at 800 Hz.
    static let greatestUses = 16

    private var vector: SIMD3<Double>?
    private var uses = 0

    /// Takes a new one.
    mutating func set(_ vector: SIMD3<Double>) {
        self.vector = vector
        uses = 0
    }

    /// The vector for one more message; `nil` where none came, or not for long.
    mutating func use() -> SIMD3<Double>? {
        uses += 1
        if uses > Self.greatestUses { vector = nil }
        return vector
    }
}
