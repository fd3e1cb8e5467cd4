import Foundation
import Geometry

/// Head motion of measurements: the head turns and nods without end. Every filter therefore changes in every slice, and
/// no direction recurs soon.
enum TurningHead {
    /// The motion in words.
    static let description = "head turning by 100° and nodding by up to 18° a second"

    /// Returns pose and angular rate at `seconds` of stream time, as a tracker's forecast.
    static func forecast(at seconds: Double) -> PoseForecast {
        let rate = 100 * Double.pi / 180
        let (swing, nods) = (20 * Double.pi / 180, 2 * Double.pi / 7)
        let yaw = (rate * seconds).truncatingRemainder(dividingBy: 2 * .pi)
        let pitch = swing * sin(nods * seconds)
        // Rates in head axes. Yaw turns about the stage's vertical axis, which is tilted in the axes of a pitched head.
        // Nodding up turns about −y.
        return PoseForecast(
            pose: Rotation(yaw: yaw, pitch: pitch, roll: 0),
            rate: SIMD3(rate * sin(pitch), -swing * nods * cos(nods * seconds), rate * cos(pitch)), time: seconds,
            horizon: 0.1)
    }
}
