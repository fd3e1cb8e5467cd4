import Geometry
import Glibc
import HRTF
import Signal

/// Task of an engine cell: sources on a stage, the head still or turning at a constant rate, and the filters.
final class EngineWork {
    let sources: Int
    let period: Int
    let slice: Int
    /// Interval between poses, frames.
    let refresh: Int
    let isTurning: Bool
    let field: FilterField
    let programme: Programme
    let directions: [Direction<Stage>]

    /// Creates the task. Without `given`, `refresh` is the slice, at most 128 frames; `given` may be two slices.
    init(sources: Int, period: Int, isTurning: Bool, field: FilterField, refresh given: Int? = nil) {
        self.sources = sources
        self.period = period
        slice = min(period, 256)
        refresh = given ?? min(slice, 128)
        self.isTurning = isTurning
        self.field = field
        programme = Programme(channels: sources, period: period)
        // A spiral over the sphere: no two directions are equal, and none lies on a point of the measurement grid.
        directions = (0..<sources).map { index in
            let height = 0.9 - 1.5 * (Double(index) + 0.5) / Double(sources)
            return Direction<Stage>(
                azimuthDegrees: (Double(index) * 137.508 + 11).truncatingRemainder(dividingBy: 360) - 180,
                elevationDegrees: asin(height) * 180 / .pi)
        }
    }

    /// Yaw rate of the turning head, degrees per second.
    static let speed = 100.0

    /// Returns the head-to-stage rotation at a frame of the stream.
    func headToStage(atFrame frame: Int) -> Rotation<Head, Stage> {
        guard isTurning else { return .identity }
        return Rotation(yaw: EngineWork.speed * .pi / 180 * Double(frame) / field.sampleRate.hertz)
    }
}
