import Geometry
import HRTF
import Signal

/// The responses that the field plays for one source, in the time domain, for those who convolve in another way.
final class Responses {
    private let handle: FieldHandle
    private let scratch: UnsafeMutablePointer<Float>
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>

    init(_ field: FilterField) {
        handle = field.handle
        scratch = AlignedMemory.allocate(Float.self, count: handle.scratchCount)
        scratch.initialize(repeating: 0, count: handle.scratchCount)
        left = AlignedMemory.allocate(Float.self, count: handle.tapCount)
        right = AlignedMemory.allocate(Float.self, count: handle.tapCount)
    }

    deinit {
        scratch.deallocate()
        left.deallocate()
        right.deallocate()
    }

    /// Evaluates one direction for a head-to-stage rotation.
    func evaluate(_ direction: Direction<Stage>, headToStage: Rotation<Head, Stage>) {
        let seen = headToStage.inverse(direction).unit
        handle.evaluate(x: seen.x, y: seen.y, z: seen.z, scratch: scratch, left: left, right: right)
    }
}
