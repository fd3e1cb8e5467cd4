import CKernels
import Geometry
import Signal

/// A spectral field for the audio thread: pointers and numbers without reference counts.
///
/// It is memory-safe while its `SpectralField` exists: all memory is written before the handle is created and never
/// after, and every index is bounded by the construction of the grid.
package struct SpectralFieldHandle: BitwiseCopyable, Sendable {
    /// Number of bins in the main part of every filter.
    package let bins: Int
    /// Number of chunks of 16 bins in every filter, including its low parts (`FilterForm`).
    package let chunks: Int
    let lowParts: Int
    let lowChunks: Int
    /// Number of points of the grid.
    let pointCount: Int
    /// Factor of the inverse transform; every filter contains it.
    let scale: Float
    private(set) var field: FieldHandle
    private(set) var spectra: ConstantMemory<Float>
    let measuredSpectra: ConstantMemory<Float>
    /// Range of the chunks of 16 bins in which the interpolator and its image do not count as 1 or 0, and the spectra
    /// of both in these chunks.
    let blendFrom: Int
    let blendTo: Int
    let images: ConstantMemory<Float>
    /// Squared frequency of each bin, (radians per sample)², folded at the Nyquist frequency, `[bin]`.
    let squares: ConstantMemory<Float>
    /// Squared frequency of each bin of a low part, (radians per sample)², `[bin]`.
    let lowSquares: ConstantMemory<Float>
    /// `[point]`: relative power of pink noise, which `power` interpolates.
    private(set) var powers: ConstantMemory<Float>

    /// Returns the handle of shell `number` (distance of sources) on the same grid, if this is the handle of shell 0.
    /// `number` is below `FilterField.shellCount`.
    package func shell(_ number: Int) -> SpectralFieldHandle {
        var shell = self
        shell.field = field.shell(number, points: pointCount)
        shell.spectra = spectra + number * pointCount * 64 * chunks
        shell.powers = powers + number * pointCount
        return shell
    }

    /// Returns the grid's cell around a direction (x front, y left, z up; any length > 0), the first step of
    /// `evaluate`. If the cells of all sources are computed first, their divisions and square roots overlap. May be
    /// called on any thread.
    @_noLocks
    package func cell(x: Double, y: Double, z: Double) -> GridCell { field.grid.cell(x: x, y: y, z: z) }

    /// Returns the relative power of pink noise from the direction of a cell, as a sum over both ears. May be called on
    /// any thread.
    @_noLocks
    package func power(_ cell: GridCell) -> Double {
        var power = 0.0
        for corner in 0..<4 { power += cell.weights[corner] * Double(powers[Int(cell.points[corner])]) }
        return power
    }

    /// Returns the delays of both ears in a cell, samples; 0 if the field has no delays. May be called on any thread.
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

    /// Computes the filters for a direction relative to the head (x front, y left, z up; any length > 0), multiplied by
    /// `gain`, as spectra in the layout of `StageFilters` with the given stride. `cell`: cell of the direction, if
    /// already computed. `coming`: cell of the next call, whose spectra are fetched into the cache meanwhile.
    ///
    /// `change`: change of the delays since the previous filters, samples, if a linear crossfade follows; otherwise 0.
    /// Halfway between two phases that differ by φ, a crossfade loses φ²/8 of the level. If the filters are raised by
    /// the share φ²/12, the RMS error over the crossfade is 7.8 dB smaller, the minimum for a constant gain.
    ///
    /// The result is continuous in the direction. The function is total: a zero or non-finite direction counts as the
    /// front. The filters equal those of `FieldHandle.evaluate` except for the interpolator's images at −100 dB. Safe
    /// on the audio thread. Cost: reads 1 KiB per chunk of the form, about 80 operations per two bins; about 150 ns for
    /// 12 chunks with AVX-512.
    @_noLocks
    package func evaluate(
        x: Double, y: Double, z: Double, cell known: GridCell? = nil, coming: GridCell? = nil, gain: Float,
        change: SIMD2<Double> = .zero, to filter: UnsafeMutablePointer<Float>, stride: Int
    ) {
        var measuredShare: Float = 0
        if field.measured.count > 0, let (index, share) = field.measured.nearest(x: x, y: y, z: z) {
            let row = measuredSpectra.base + index * 64 * chunks
            steer(
                (row, row, row, row), coming: (row, row, row, row), (1, 0, 0, 0), count: 1, delays: nil, change: .zero,
                gain * share, filter, stride, onto: false)
            measuredShare = share
        }
        guard measuredShare < 1 else { return }
        let cell = known ?? cell(x: x, y: y, z: z)
        let weights = (
            Float(cell.weights.x), Float(cell.weights.y), Float(cell.weights.z), Float(cell.weights.w)
        )
        let delays = field.kernel == nil ? nil : self.delays(cell)
        steer(
            rows(cell), coming: rows(coming ?? cell), weights, count: 4, delays: delays, change: change,
            gain * (1 - measuredShare), filter, stride, onto: measuredShare > 0)
    }

    /// Returns the spectra of a cell's points.
    @_noLocks
    private func rows(_ cell: GridCell) -> Rows {
        let (base, size) = (spectra.base, 64 * chunks)
        return (
            base + Int(cell.points.x) * size, base + Int(cell.points.y) * size, base + Int(cell.points.z) * size,
            base + Int(cell.points.w) * size
        )
    }

    private typealias Rows = (
        UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>
    )

    /// Writes one weighted sum into `filter`, or adds it to the sum there.
    @_noLocks
    private func steer(
        _ rows: Rows, coming: Rows, _ weights: (Float, Float, Float, Float), count: Int, delays: SIMD2<Double>?,
        change: SIMD2<Double>, _ gain: Float,
        _ filter: UnsafeMutablePointer<Float>, _ stride: Int, onto: Bool
    ) {
        let stretch = change * change / 12
        var job = prk_steering(
            bins: bins, count: count, rows: (rows.0, rows.1, rows.2, rows.3), weights: weights, gain: gain * scale,
            delayed: delays == nil ? 0 : 1, delays: (delays?.x ?? 0, delays?.y ?? 0),
            stretch: (Float(stretch.x), Float(stretch.y)), squares: squares.base, blend_from: blendFrom,
            blend_to: blendTo,
            images: images.base, low_parts: lowParts, low_chunks: lowChunks, low_squares: lowSquares.base,
            coming: (coming.0, coming.1, coming.2, coming.3),
            onto: onto ? 1 : 0, result: filter, stride: stride)
        prk_steer(&job)
    }
}
