/// A bus that turns by ±90° in 6 s at 8 m/s every 20 s, and brakes and speeds up by 1.5 m/s² for 3 s in between.
struct VirtualBus: Sendable {
    var speed = 8.0

    /// Returns the rate of turn about the vertical, rad/s.
    func rate(_ time: Double) -> Double {
        let (phase, lap) = (time.truncatingRemainder(dividingBy: 20), Int(time / 20))
        guard time > 10, phase < 6 else { return 0 }
        // The derivative of `turn`.
        let u = phase / 6
        let sign: Double = lap % 2 == 0 ? 1 : -1
        return sign * 90 * degree * 30 * u * u * (1 - u) * (1 - u) / 6
    }

    /// Returns the heading, radians turned since the start.
    func heading(_ time: Double) -> Double {
        let (phase, lap) = (time.truncatingRemainder(dividingBy: 20), Int(time / 20))
        // Laps alternate; the first turn is at 20 s.
        guard lap > 0 else { return 0 }
        let before: Double = lap % 2 == 0 ? -90 : 0
        let sign: Double = lap % 2 == 0 ? 1 : -1
        return (before + sign * 90 * turn(phase, from: 0, over: 6)) * degree
    }

    /// Returns the acceleration in the bus's axes, m/s².
    func acceleration(_ time: Double) -> SIMD3<Double> {
        let phase = time.truncatingRemainder(dividingBy: 20)
        let along: Double = (9..<12).contains(phase) ? -1.5 : (13..<16).contains(phase) ? 1.5 : 0
        return SIMD3(along, speed * rate(time), 0)
    }
}
