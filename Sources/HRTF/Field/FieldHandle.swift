import CKernels
import CRealtime
import Geometry
import Signal

/// A filter field in the time domain as pointers and numbers without reference counts. The audio thread plays a
/// `SpectralField`, which is computed from the handle.
///
/// It is memory-safe while its `FilterField` exists: all memory is written before the handle is created and never
/// after, and every index is bounded by the construction of the grid.
package struct FieldHandle: BitwiseCopyable, Sendable {
    /// Length of every played response, samples.
    package let tapCount: Int
    /// Number of floats of scratch memory that `evaluate` needs, 64-byte aligned. Each thread needs its own memory.
    package let scratchCount: Int

    let grid: RingGridLookup
    /// `[point][ear][wideStride]`: responses with their onsets at the same sample. `wideTaps` of each are used.
    private(set) var responses: ConstantMemory<Float>
    let wideTaps: Int
    let wideStride: Int
    /// `[point][ear][lowTaps]`: low part, which is added to the responses from sample `lowStart` on
    /// (`FilterField.LowRows`).
    private(set) var low: ConstantMemory<Float>
    let lowTaps: Int
    let lowStart: Int
    /// Number of samples in an aligned response with its low part.
    let alignedTaps: Int
    /// `[point][ear]`: delay in samples, 0…`tapCount − alignedTaps − lead − tail`.
    private(set) var delays: ConstantMemory<Float>
    /// Numbers of samples that are played before the first and after the last sample of a delayed response
    /// (`DelayMargins`).
    let lead: Int
    let tail: Int
    /// Table of `DelayKernel`; nil if all delays are 0 and responses play as stored.
    let kernel: ConstantMemory<Float>?
    /// Responses that play exactly as stored near their directions; empty unless processing is off.
    let measured: MeasuredDirections

    /// Returns the handle of the shell (loudspeaker distance) that is `number` shells after this one. All shells have
    /// the same grid of `points` points.
    func shell(_ number: Int, points: Int) -> FieldHandle {
        var shell = self
        shell.responses = responses + number * 2 * points * wideStride
        shell.low = low + number * 2 * points * lowTaps
        shell.delays = delays + number * 2 * points
        return shell
    }

    /// Computes the pair of responses for a direction relative to the head (x front, y left, z up; any length > 0).
    ///
    /// Writes exactly `tapCount` floats to `left` and to `right`. The result is continuous in the direction. The
    /// function is total: a zero or non-finite direction counts as the front. Safe on the audio thread; `scratch`
    /// (`scratchCount` floats, 64-byte aligned) belongs to one thread. Cost: 4·2·alignedTaps + 2·64·tapCount
    /// multiply-adds, about 4 µs for 128 taps.
    @_noLocks
    package func evaluate(
        x: Double, y: Double, z: Double, scratch: UnsafeMutablePointer<Float>, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        let cell = grid.cell(x: x, y: y, z: z)
        blend(cell, ear: 0, scratch: scratch)
        if let kernel {
            delay(cell, ear: 0, kernel: kernel.base, scratch: scratch, to: left)
        } else {
            play(scratch, to: left)
        }
        blend(cell, ear: 1, scratch: scratch)
        if let kernel {
            delay(cell, ear: 1, kernel: kernel.base, scratch: scratch, to: right)
        } else {
            play(scratch, to: right)
        }
        if measured.count > 0 { measured.replace(x: x, y: y, z: z, taps: tapCount, left: left, right: right) }
    }

    /// Number of zeros on either side of a response in scratch memory: more than the length of the interpolator, in
    /// whole cache lines.
    static var margin: Int { @_noLocks get { 80 } }

    /// Returns the number of floats of scratch memory for responses of `alignedTaps` samples: row pointers and weights,
    /// the interpolator, a response with zeros on either side, and the response's low part.
    static func scratchCount(alignedTaps: Int) -> Int {
        16 + DelayKernel.taps + margin + (alignedTaps + 15) / 16 * 16 + margin + alignedTaps
    }

    /// Start of the blended response in scratch memory.
    private static var place: Int { @_noLocks get { 16 + DelayKernel.taps + margin } }

    /// Interpolates one ear's aligned responses: `alignedTaps` floats.
    @_noLocks
    private func blend(_ cell: GridCell, ear: Int, scratch: UnsafeMutablePointer<Float>) {
        // The start of scratch contains four pointers, then four weights.
        let rows = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: UnsafePointer<Float>?.self)
        let weights = scratch + 8
        for corner in 0..<4 {
            rows[corner] = responses.base + (2 * Int(cell.points[corner]) + ear) * wideStride
            weights[corner] = Float(cell.weights[corner])
        }
        let response = scratch + FieldHandle.place
        prk_blend(wideTaps, 4, rows, weights, response)
        guard lowTaps > 0 else { return }
        prc_zero(response + wideTaps, (alignedTaps - wideTaps) * 4)
        for corner in 0..<4 { rows[corner] = low.base + (2 * Int(cell.points[corner]) + ear) * lowTaps }
        let part = response + (alignedTaps + 15) / 16 * 16 + FieldHandle.margin
        prk_blend(lowTaps, 4, rows, weights, part)
        prk_multiply_add(lowTaps, 1, part, response + lowStart)
    }

    /// Writes the blended response of one ear, with its delay, to `tapCount` samples.
    @_noLocks
    private func delay(
        _ cell: GridCell, ear: Int, kernel: UnsafePointer<Float>, scratch: UnsafeMutablePointer<Float>,
        to output: UnsafeMutablePointer<Float>
    ) {
        let taps = DelayKernel.taps
        let limit = tapCount - alignedTaps - lead - tail
        var delay = 0.0
        for corner in 0..<4 {
            delay += cell.weights[corner] * Double(delays[2 * Int(cell.points[corner]) + ear])
        }
        let whole = max(0, min(limit, Int(delay)))
        let phase = max(0, min(1, delay - Double(whole))) * Double(DelayKernel.phaseCount)
        let lower = min(DelayKernel.phaseCount - 1, Int(phase))
        let t = Float(phase - Double(lower))
        let interpolator = scratch + 16
        let row = kernel + lower * taps
        for k in 0..<taps { interpolator[k] = row[k] + t * (row[k + taps] - row[k]) }
        let source = scratch + FieldHandle.place
        prc_zero(source - FieldHandle.margin, FieldHandle.margin * 4)
        prc_zero(source + alignedTaps, FieldHandle.margin * 4)
        let length = alignedTaps + lead + tail
        // Output of the interpolator more than `lead` samples before or `tail` samples after the response is omitted.
        let first = taps / 2 - 1 - lead
        prc_zero(output, whole * 4)
        prk_fir(length, taps, source - (taps - 1) + first, interpolator, output + whole)
        prc_zero(output + whole + length, (tapCount - whole - length) * 4)
    }

    /// Writes the blended response without delay.
    @_noLocks
    private func play(_ scratch: UnsafeMutablePointer<Float>, to output: UnsafeMutablePointer<Float>) {
        prc_copy(output, scratch + FieldHandle.place, alignedTaps * 4)
        prc_zero(output + alignedTaps, (tapCount - alignedTaps) * 4)
    }
}
