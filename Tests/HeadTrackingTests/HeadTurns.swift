import Geometry
import Glibc
import SeededRandom

/// A head that looks from place to place within ±80°: minimum-jerk turns of 60 to 500°/s, and turns with a steady
/// middle that begin and stop within tenths of a second.
struct HeadTurns {
    private struct Turn {
        var start: Double
        var duration: Double
        /// Share of the duration in which the speed rises; 0 for a minimum-jerk turn. `down` is the share in which it
        /// falls.
        var up = 0.0
        var down = 0.0
        var from: Double
        var to: Double
    }
    private var turns: [Turn] = []
    private let axis: SIMD3<Double>

    /// Creates turns for `duration` seconds.
    init(duration: Double, seed: UInt64) {
        var random = SplitMix(state: seed)
        var (time, at) = (0.5, 0.0)
        axis = SIMD3(0.095, 0.286, 0.953)
        while time < duration {
            let to = Double.random(in: -80...80, using: &random)
            let fastest = Double.random(in: 60...500, using: &random)
            let way = abs(to - at)
            var turn = Turn(start: time, duration: max(0.15, 1.875 * way / fastest), from: at, to: to)
            if Double.random(in: 0...1, using: &random) < 0.3 {
                let up = Double.random(in: 0.12...0.4, using: &random)
                let down = Double.random(in: 0.12...0.3, using: &random)
                let speed = min(fastest, way / ((up + down) / 2))
                turn.duration = way / speed + (up + down) / 2
                (turn.up, turn.down) = (up / turn.duration, down / turn.duration)
            }
            turns.append(turn)
            time += turn.duration + 0.05 - 0.5 * log(Double.random(in: 0.01...1, using: &random))
            at = to
        }
    }

    /// Returns the yaw in degrees at a time in seconds.
    func angle(_ time: Double) -> Double {
        guard let last = turns.last(where: { $0.start <= time }) else { return 0 }
        let u = min(1, (time - last.start) / last.duration)
        guard last.up > 0 else { return last.from + (last.to - last.from) * turn(u, from: 0, over: 1) }
        let speed = 1 / (1 - (last.up + last.down) / 2)
        // The integral of u²(3 − 2u), at both ends.
        func ramp(_ v: Double, _ whole: Double) -> Double {
            let x = max(0, min(1, v / whole))
            return whole * x * x * x * (1 - x / 2)
        }
        let risen = ramp(u, last.up) + max(0, u - last.up)
        let fallen = ramp(u - (1 - last.down), last.down)
        return last.from + (last.to - last.from) * speed * (risen - fallen)
    }

    func pose(_ time: Double) -> Quaternion { Quaternion(rotationVector: axis * (angle(time) * degree)) }
}
