import Geometry

/// A filter field as the audio thread sees it: pointers and numbers, no reference counts.
///
/// Sound as long as the `FilterField` it came from lives: all memory is written before the handle exists and never
/// after (hence `@unchecked Sendable`), and every index is bounded by the grid's construction.
package struct FieldHandle: BitwiseCopyable, @unchecked Sendable {
    /// Length of every played response, samples.
    package let tapCount: Int
    /// Floats of scratch that `evaluate` wants, 64-byte aligned, one area per thread.
    package let scratchCount: Int

    let grid: RingGridLookup
    /// `[point][ear][alignedStride]`: responses with their onsets at one common place; `alignedTaps` of each are used.
    let responses: UnsafePointer<Float>
    let alignedTaps: Int
    let alignedStride: Int
    /// `[point][ear]`: delay in samples, 0…`tapCount − alignedTaps − DelayKernel.taps`.
    let delays: UnsafePointer<Float>
    /// `DelayKernel`'s table; nil where all delays are 0 and responses play as stored.
    let kernel: UnsafePointer<Float>?
    /// Responses to play exactly, close to their directions; empty unless processing is off.
    let measured: MeasuredDirections

    /// The pair of responses for a direction seen from the head (x front, y left, z up; any length > 0).
    ///
    /// Writes exactly `tapCount` floats to `left` and to `right`. Continuous in the direction; total: a zero or
    /// non-finite direction is taken as the front. Thread: audio; `scratch` (`scratchCount` floats, 64-byte aligned)
    /// belongs to one thread. Cost: 4·2·alignedTaps + 2·32·tapCount multiply-adds, about 2 µs for 128 taps.
    @_noLocks
    package func evaluate(
        x: Double, y: Double, z: Double, scratch: UnsafeMutablePointer<Float>, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        let cell = grid.cell(x: x, y: y, z: z)
        blend(cell, to: scratch)
        if let kernel {
            delay(cell, ear: 0, kernel: kernel, scratch: scratch, to: left)
            delay(cell, ear: 1, kernel: kernel, scratch: scratch, to: right)
        } else {
            play(scratch + FieldHandle.margin, to: left)
            play(scratch + FieldHandle.margin + alignedStride, to: right)
        }
        if measured.count > 0 { measured.replace(x: x, y: y, z: z, taps: tapCount, left: left, right: right) }
    }

    /// Floats before and between the parts of scratch: a whole cache line more than the interpolator reaches.
    static var margin: Int { @_noLocks get { 48 } }

    /// Scratch for responses of `alignedStride` floats: pointers and weights, margin, both ears, margin, interpolator.
    static func scratchCount(alignedStride: Int) -> Int { 3 * margin + 2 * alignedStride + margin }

    /// Both ears' aligned responses, interpolated, at scratch + margin, `[ear][alignedStride]`.
    @_noLocks
    private func blend(_ cell: GridCell, to scratch: UnsafeMutablePointer<Float>) {
        let stride = 2 * alignedStride
        let a = responses + Int(cell.points.x) * stride
        let b = responses + Int(cell.points.y) * stride
        let c = responses + Int(cell.points.z) * stride
        let d = responses + Int(cell.points.w) * stride
        let (wa, wb) = (Float(cell.weights.x), Float(cell.weights.y))
        let (wc, wd) = (Float(cell.weights.z), Float(cell.weights.w))
        let output = scratch + FieldHandle.margin
        for i in 0..<stride { output[i] = wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i] }
    }

    /// Delays one ear's blended response into its place among `tapCount` samples.
    @_noLocks
    private func delay(
        _ cell: GridCell, ear: Int, kernel: UnsafePointer<Float>, scratch: UnsafeMutablePointer<Float>,
        to output: UnsafeMutablePointer<Float>
    ) {
        let taps = 32
        let limit = tapCount - alignedTaps - taps
        let delay =
            cell.weights.x * Double(delays[2 * Int(cell.points.x) + ear])
            + cell.weights.y * Double(delays[2 * Int(cell.points.y) + ear])
            + cell.weights.z * Double(delays[2 * Int(cell.points.z) + ear])
            + cell.weights.w * Double(delays[2 * Int(cell.points.w) + ear])
        let whole = max(0, min(limit, Int(delay)))
        let phase = max(0, min(1, delay - Double(whole))) * 512
        let lower = min(511, Int(phase))
        let t = Float(phase - Double(lower))
        let g = scratch + (2 * FieldHandle.margin + 2 * alignedStride)
        let row = kernel + lower * taps
        for k in 0..<taps { g[k] = row[k] + t * (row[k + taps] - row[k]) }
        // The first ear's response is followed by the second's, so each is played from a place with silence around it.
        let source = scratch + FieldHandle.margin + ear * alignedStride
        for i in 0..<whole { output[i] = 0 }
        let length = alignedTaps + taps - 1
        for i in 0..<length {
            var sum: Float = 0
            for k in max(0, i - alignedTaps + 1)..<min(taps, i + 1) { sum += g[k] * source[i - k] }
            output[whole + i] = sum
        }
        for i in (whole + length)..<tapCount { output[i] = 0 }
    }

    @_noLocks
    private func play(_ source: UnsafeMutablePointer<Float>, to output: UnsafeMutablePointer<Float>) {
        for i in 0..<tapCount { output[i] = source[i] }
    }
}
