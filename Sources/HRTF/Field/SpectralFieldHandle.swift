import CKernels
import Geometry
import Signal

/// A spectral field as the audio thread sees it: pointers and numbers, no reference counts.
///
/// Sound as long as the `SpectralField` it came from lives: all memory is written before the handle exists and never
/// after, and every index is bounded by the grid's construction.
package struct SpectralFieldHandle: BitwiseCopyable, Sendable {
    /// Bins of the main part of every filter.
    package let bins: Int
    /// Chunks of 16 bins of every filter, low parts included (`FilterForm`).
    package let chunks: Int
    let lowParts: Int
    let lowChunks: Int
    /// Points of the grid.
    let pointCount: Int
    /// The inverse transform's factor, part of every filter.
    let scale: Float
    private(set) var field: FieldHandle
    private(set) var spectra: ConstantMemory<Float>
    let measuredSpectra: ConstantMemory<Float>
    /// The chunks of 16 bins in which the interpolator is neither 1 nor its image alone, and what it is there.
    let blendFrom: Int
    let blendTo: Int
    let images: ConstantMemory<Float>
    /// `[bin]`: its angle squared, folded at the Nyquist frequency.
    let squares: ConstantMemory<Float>
    /// `[bin]`: the same for a low part.
    let lowSquares: ConstantMemory<Float>
    /// `[point]`: what `power` blends.
    private(set) var powers: ConstantMemory<Float>

    /// The same for another of the fields on its grid, counted from this one; below `FilterField.shellCount`.
    package func shell(_ number: Int) -> SpectralFieldHandle {
        var shell = self
        shell.field = field.shell(number, points: pointCount)
        shell.spectra = spectra + number * pointCount * 64 * chunks
        shell.powers = powers + number * pointCount
        return shell
    }

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

    /// The delays of both ears in a cell, samples; 0 where the field has none. Thread: any.
    @_noLocks
    package func delays(_ cell: GridCell) -> SIMD2<Double> {
        guard field.kernel != nil else { return .zero }
        var delays = SIMD2<Double>(repeating: Double(field.lead))
        for corner in 0..<4 {
            let at = field.delays.base + 2 * Int(cell.points[corner])
            delays += cell.weights[corner] * SIMD2(Double(at[0]), Double(at[1]))
        }
        return delays
    }

    /// The filters for a direction seen from the head (x front, y left, z up; any length > 0), times `gain`, as spectra
    /// in the layout of `StageFilters` with the given stride; `cell` is the direction's, where it is known already.
    ///
    /// `change`: by how much the delays differ from those of the filters before, samples, where a linear fade leads
    /// from those to these in an even motion. Halfway between two phases that differ by φ a fade loses φ²/8 of the
    /// level; ends raised by φ²/12 leave an error that is 7.8 dB smaller,
    /// the least that a line with fixed nodes can have.
    ///
    /// Continuous in the direction; total: a zero or non-finite direction is taken as the front. The same filters as
    /// `FieldHandle.evaluate` gives in time, but for −100 dB of the interpolator's images. Thread: audio. Cost: reads
    /// 64·bins bytes, about 80 operations per two bins: some 80 ns for 160 bins with AVX-512.
    @_noLocks
    package func evaluate(
        x: Double, y: Double, z: Double, cell known: GridCell? = nil, gain: Float,
        change: SIMD2<Double> = .zero, to filter: UnsafeMutablePointer<Float>, stride: Int
    ) {
        var measuredShare: Float = 0
        if field.measured.count > 0, let (index, share) = field.measured.nearest(x: x, y: y, z: z) {
            let row = measuredSpectra.base + index * 64 * chunks
            steer(
                (row, row, row, row), (1, 0, 0, 0), count: 1, delays: nil, change: .zero, gain * share, filter, stride,
                onto: false)
            measuredShare = share
        }
        guard measuredShare < 1 else { return }
        let cell = known ?? cell(x: x, y: y, z: z)
        let (a, b, c, d) = (Int(cell.points.x), Int(cell.points.y), Int(cell.points.z), Int(cell.points.w))
        let weights = (
            Float(cell.weights.x), Float(cell.weights.y), Float(cell.weights.z), Float(cell.weights.w)
        )
        let spectra = spectra.base
        let size = 64 * chunks
        let rows = (spectra + a * size, spectra + b * size, spectra + c * size, spectra + d * size)
        let delays = field.kernel == nil ? nil : self.delays(cell)
        steer(
            rows, weights, count: 4, delays: delays, change: change, gain * (1 - measuredShare), filter, stride,
            onto: measuredShare > 0)
    }

    /// One weighted sum into `filter`, or onto what it holds.
    @_noLocks
    private func steer(
        _ rows: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>),
        _ weights: (Float, Float, Float, Float), count: Int, delays: SIMD2<Double>?, change: SIMD2<Double>,
        _ gain: Float,
        _ filter: UnsafeMutablePointer<Float>, _ stride: Int, onto: Bool
    ) {
        let stretch = change * change / 12
        var job = prk_steering(
            bins: bins, count: count, rows: (rows.0, rows.1, rows.2, rows.3), weights: weights, gain: gain * scale,
            delayed: delays == nil ? 0 : 1, delays: (delays?.x ?? 0, delays?.y ?? 0),
            stretch: (Float(stretch.x), Float(stretch.y)), squares: squares.base, blend_from: blendFrom,
            blend_to: blendTo,
            images: images.base, low_parts: lowParts, low_chunks: lowChunks, low_squares: lowSquares.base,
            onto: onto ? 1 : 0, result: filter, stride: stride)
        prk_steer(&job)
    }
}
