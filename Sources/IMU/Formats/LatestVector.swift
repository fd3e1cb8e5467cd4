/// A vector from one sensor's messages, stored for combination with the messages of other sensors.
///
/// The sensors of one tracker have different rates, so a vector is used for several messages. It is used for at most
/// `greatestUses`, because the last vector of a sensor that has stopped is out of date.
struct LatestVector: Sendable {
    /// Greatest number of uses: an accelerometer at 50 Hz suffices for a gyroscope at 800 Hz.
    static let greatestUses = 16

    private var vector: SIMD3<Double>?
    private var uses = 0

    /// Stores a new vector.
    mutating func set(_ vector: SIMD3<Double>) {
        self.vector = vector
        uses = 0
    }

    /// Returns the vector for one more message; `nil` before the first vector and after `greatestUses`.
    mutating func use() -> SIMD3<Double>? {
        uses += 1
        if uses > Self.greatestUses { vector = nil }
        return vector
    }
}
