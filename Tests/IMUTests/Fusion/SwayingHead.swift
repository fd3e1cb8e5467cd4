import Foundation
import Geometry
import IMU
import SeededRandom

/// A head that keeps its place, sways and has an uncalibrated gyroscope; with `looks` it also looks to the side.
///
/// The sway of each angle has a flat spectrum up to 0.1 Hz that falls by 6 dB per octave up to 0.5 Hz and by 18 dB
/// beyond (Maurer & Peterka, J. Neurophysiol. 93, 2005).
struct SwayingHead {
    /// Standard deviation of each angle, degrees.
    var sway: Double
    var looks: Bool
    var seed: UInt64

    /// RMS error of the heading over two minutes, degrees, against that at 4 s.
    func headingError(rate: Double = 100) -> Double {
        var dice = SplitMix(state: seed &* 7919)
        func normal() -> Double { (-2 * log(1 - dice.unit())).squareRoot() * cos(2 * .pi * dice.unit()) }
        let frequencies = (0..<40).map { 0.02 * pow(100, (Double($0) + dice.unit()) / 40) }
        let powers = frequencies.map { $0 / (1 + pow($0 / 0.1, 2)) / (1 + pow($0 / 0.5, 4)) }
        let total = powers.reduce(0, +)
        let parts = (0..<3).map { _ in
            zip(frequencies, powers).map { frequency, power in
                let size = sway * (power / total).squareRoot()
                return (omega: 2 * .pi * frequency, sine: size * normal(), cosine: size * normal())
            }
        }
        var turns: [(start: Double, end: Double, angle: Double)] = []
        var next = 5.0
        while looks, next < 120 {
            let angle = 30 * normal()
            let end = next + max(0.4, abs(angle) / (10 + 80 * dice.unit()))
            turns.append((next, end, angle))
            next = end + 0.3 - 3 * log(1 - dice.unit())
        }
        func pose(_ time: Double) -> Quaternion {
            var angles = SIMD3<Double>(0, 0, 0)
            for axis in 0..<3 {
                for part in parts[axis] {
                    angles[axis] += part.sine * sin(part.omega * time) + part.cosine * cos(part.omega * time)
                }
            }
            for turn in turns where time > turn.start {
                let u = min(1, (time - turn.start) / (turn.end - turn.start))
                angles.x += turn.angle * u * u * u * (10 - 15 * u + 6 * u * u)
            }
            angles *= .pi / 180
            return Quaternion(yaw: angles.x, pitch: angles.y, roll: angles.z)
        }
        let bias = SIMD3(normal(), normal(), normal()) * (0.4 * .pi / 180)
        let noise = 0.01 * .pi / 180 * (rate / 2).squareRoot()
        var filter = InertialFilter()
        var (last, before, zero, squares, count) = (pose(-1 / rate), 0.0, 0.0, 0.0, 0.0)
        for index in 0..<Int(120 * rate) {
            let time = Double(index) / rate
            let now = pose(time)
            let turn = (last.conjugate * now).rotationVector * rate
            last = now
            filter.take(
                InertialSample(
                    rate: turn + bias + SIMD3(normal(), normal(), normal()) * noise,
                    force: now.conjugate.rotate(SIMD3(0, 0, 9.81)) + SIMD3(normal(), normal(), normal()) * 0.02),
                at: time)
            let apart = filter.bodyToWorld * now.conjugate
            var error = 2 * atan2(apart.z, apart.w) * 180 / .pi
            error += 360 * ((before - error) / 360).rounded()
            before = error
            if time < 4 {
                zero = error
            } else {
                squares += (error - zero) * (error - zero)
                count += 1
            }
        }
        return (squares / count).squareRoot()
    }
}
