import Foundation
import Geometry

/// The motion that stages are measured with: a head that turns and nods without end, so that every filter moves in
/// every slice and no direction comes back soon.
enum TurningHead {
    /// The motion in words.
    static let description = "head turning by 100° and nodding by up to 18° a second"

    /// Where it is at a second of stream time and where it goes, as a tracker's forecast.
    static func forecast(at seconds: Double) -> PoseForecast {
        let rate = 100 * Double.pi / 180
        let (swing, nods) = (20 * Double.pi / 180, 2 * Double.pi / 7)
        let yaw = (rate * seconds).truncatingRemainder(dividingBy: 2 * .pi)
        let pitch = swing * sin(nods * seconds)
        // Head axes: a yaw about the stage's vertical, seen from a head pitched up; nodding up turns about −y.
        return PoseForecast(
            pose: Rotation(yaw: yaw, pitch: pitch, roll: 0),
            rate: SIMD3(rate * sin(pitch), -swing * nods * cos(nods * seconds), rate * cos(pitch)), time: seconds,
            horizon: 0.1)
    }
}
