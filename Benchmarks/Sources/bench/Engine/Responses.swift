import Convolution
import Geometry
import HRTF
import Signal

/// Impulse responses of a field for one source, for contenders with another method of convolution.
protocol Responses: AnyObject {
    var taps: Int { get }
    var left: UnsafeMutablePointer<Float> { get }
    var right: UnsafeMutablePointer<Float> { get }
    /// Evaluates one direction for a head-to-stage rotation, as the end of a fade that began at `before`; nil: at rest.
    func evaluate(_ direction: Direction<Stage>, headToStage: Rotation<Head, Stage>, before: Rotation<Head, Stage>?)
}

/// Responses interpolated and delayed in the time domain; a fade uses the same ones as a head at rest.
final class TimeResponses: Responses {
    private let handle: FieldHandle
    private let scratch: UnsafeMutablePointer<Float>
    private let ears: PlanarBlock

    init(_ field: FilterField) {
        handle = field.handle
        scratch = AlignedMemory.allocate(Float.self, count: handle.scratchCount)
        scratch.initialize(repeating: 0, count: handle.scratchCount)
        ears = PlanarBlock(channels: 2, frames: handle.tapCount)
    }

    deinit { scratch.deallocate() }

    var taps: Int { handle.tapCount }
    var left: UnsafeMutablePointer<Float> { ears[0] }
    var right: UnsafeMutablePointer<Float> { ears[1] }

    func evaluate(_ direction: Direction<Stage>, headToStage: Rotation<Head, Stage>, before: Rotation<Head, Stage>?) {
        let seen = headToStage.inverse(direction).unit
        handle.evaluate(x: seen.x, y: seen.y, z: seen.z, scratch: scratch, left: ears[0], right: ears[1])
    }
}

/// Responses that the engine plays on a grid of slices: its spectra, transformed back, and raised for a fade as in the
/// engine.
final class SpectralResponses: Responses {
    private let field: SpectralField
    private let fourier: OddFourier
    private let filter: UnsafeMutablePointer<Float>
    private let ears: FilterTaps
    let taps: Int

    init(_ field: FilterField, slice: Int) {
        taps = field.tapCount
        let form = field.form(slice: slice)
        self.field = SpectralField(field, form: form)
        fourier = OddFourier(length: form.length)
        filter = AlignedMemory.allocate(Float.self, count: form.floats)
        filter.initialize(repeating: 0, count: form.floats)
        ears = FilterTaps(form)
    }

    deinit { filter.deallocate() }

    var left: UnsafeMutablePointer<Float> { ears[0] }
    var right: UnsafeMutablePointer<Float> { ears[1] }

    func evaluate(_ direction: Direction<Stage>, headToStage: Rotation<Head, Stage>, before: Rotation<Head, Stage>?) {
        let seen = headToStage.inverse(direction).unit
        let change = before.map { delays(headToStage.inverse(direction)) - delays($0.inverse(direction)) }
        field.handle.evaluate(
            x: seen.x, y: seen.y, z: seen.z, gain: 1, change: change ?? .zero, to: filter, stride: 64)
        ears.read(filter, stride: 64, fourier: fourier)
    }

    private func delays(_ direction: Direction<Head>) -> SIMD2<Double> {
        let seen = direction.unit
        return field.handle.delays(field.handle.cell(x: seen.x, y: seen.y, z: seen.z))
    }
}
