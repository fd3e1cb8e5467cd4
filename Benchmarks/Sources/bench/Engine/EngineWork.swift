import Geometry
import Glibc
import HRTF
import Signal

/// What an engine cell asks: sources on a stage, the head turning evenly or still, filters for each direction seen.
final class EngineWork {
    let sources: Int
    let period: Int
    let slice: Int
    /// Frames from one pose to the next.
    let refresh: Int
    let isTurning: Bool
    let field: FilterField
    let programme: Programme
    let directions: [Direction<Stage>]

    /// `refresh` is the slice where it is not given, but 128 at most; two slices may be given.
    init(sources: Int, period: Int, isTurning: Bool, field: FilterField, refresh given: Int? = nil) {
        self.sources = sources
        self.period = period
        slice = min(period, 256)
        refresh = given ?? min(slice, 128)
        self.isTurning = isTurning
        self.field = field
        programme = Programme(channels: sources, period: period)
        // A spiral over the sphere: no two alike, none at a grid's point.
        directions = (0..<sources).map { index in
            let height = 0.9 - 1.5 * (Double(index) + 0.5) / Double(sources)
            return Direction<Stage>(
                azimuthDegrees: (Double(index) * 137.508 + 11).truncatingRemainder(dividingBy: 360) - 180,
                elevationDegrees: asin(height) * 180 / .pi)
        }
    }

    /// Degrees per second.
    static let speed = 100.0

    /// Head to stage at a frame of the stream.
    func headToStage(atFrame frame: Int) -> Rotation<Head, Stage> {
        guard isTurning else { return .identity }
        return Rotation(yaw: EngineWork.speed * .pi / 180 * Double(frame) / field.sampleRate.hertz)
    }
}
