import CKernels
import Geometry
import Signal

/// A spectral field as the audio thread sees it: pointers and numbers, no reference counts.
///
/// Sound as long as the `SpectralField` it came from lives: all memory is written before the handle exists and never
/// after (hence `@unchecked Sendable`), and every index is bounded by the grid's construction.
package struct SpectralFieldHandle: BitwiseCopyable, @unchecked Sendable {
    /// Bins of every spectrum.
    package let bins: Int
    /// The inverse transform's factor, part of every filter.
    let scale: Float
    let field: FieldHandle
    let spectra: UnsafePointer<Float>
    let measuredSpectra: UnsafePointer<Float>
    let images: UnsafePointer<Float>
    /// `[point]`: what `power` blends.
    let powers: UnsafePointer<Float>

    /// The grid's cell around a direction (x front, y left, z up; any length > 0): what `evaluate` begins with. Found
    /// for all sources first, one's divisions and roots run beside the next one's. Thread: any.
    @_noLocks
    package func cell(x: Double, y: Double, z: Double) -> GridCell { field.grid.cell(x: x, y: y, z: z) }

    /// The power that pink sound from a cell's direction has at the two ears together, relative. Thread: any.
    @_noLocks
    package func power(_ cell: GridCell) -> Double {
        var power = 0.0
        for corner in 0..<4 { power += cell.weights[corner] * Double(powers[Int(cell.points[corner])]) }
        return power
    }

    /// The filters for a direction seen from the head (x front, y left, z up; any length > 0), times `gain`, as spectra
    /// in the layout of `StageFilters` with the given stride; `cell` is the direction's, where it is known already.
    ///
    /// Continuous in the direction; total: a zero or non-finite direction is taken as the front. The same filters as
    /// `FieldHandle.evaluate` gives in time, but for −80 dB of the interpolator's images. Thread: audio. Cost: reads
    /// 64·bins bytes, about 80 operations per two bins: some 80 ns for 160 bins with AVX-512.
    @_noLocks
    package func evaluate(
        x: Double, y: Double, z: Double, cell known: GridCell? = nil, gain: Float,
        to filter: UnsafeMutablePointer<Float>, stride: Int
    ) {
        var measuredShare: Float = 0
        if field.measured.count > 0, let (index, share) = field.measured.nearest(x: x, y: y, z: z) {
            let row = measuredSpectra + index * 4 * bins
            steer((row, row, row, row), (1, 0, 0, 0), count: 1, delays: nil, gain * share, filter, stride, onto: false)
            measuredShare = share
        }
        guard measuredShare < 1 else { return }
        let cell = known ?? cell(x: x, y: y, z: z)
        let (a, b, c, d) = (Int(cell.points.x), Int(cell.points.y), Int(cell.points.z), Int(cell.points.w))
        let weights = (
            Float(cell.weights.x), Float(cell.weights.y), Float(cell.weights.z), Float(cell.weights.w)
        )
        let rows = (spectra + a * 4 * bins, spectra + b * 4 * bins, spectra + c * 4 * bins, spectra + d * 4 * bins)
        var delays: (Double, Double)?
        if field.kernel != nil {
            let latency = Double(DelayKernel.taps / 2 - 1)
            var (left, right) = (latency, latency)
            for corner in 0..<4 {
                let at = field.delays + 2 * Int(cell.points[corner])
                left += cell.weights[corner] * Double(at[0])
                right += cell.weights[corner] * Double(at[1])
            }
            delays = (left, right)
        }
        steer(
            rows, weights, count: 4, delays: delays, gain * (1 - measuredShare), filter, stride, onto: measuredShare > 0
        )
    }

    /// One weighted sum into `filter`, or onto what it holds.
    @_noLocks
    private func steer(
        _ rows: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>),
        _ weights: (Float, Float, Float, Float), count: Int, delays: (Double, Double)?, _ gain: Float,
        _ filter: UnsafeMutablePointer<Float>, _ stride: Int, onto: Bool
    ) {
        var job = prk_steering(
            bins: bins, count: count, rows: (rows.0, rows.1, rows.2, rows.3), weights: weights, gain: gain * scale,
            delayed: delays == nil ? 0 : 1, delays: delays ?? (0, 0), images: images, onto: onto ? 1 : 0,
            result: filter,
            stride: stride)
        prk_steer(&job)
    }
}
