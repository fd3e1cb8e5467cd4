import CKernels

/// Square matrix that changes linearly from one value to another while rows of samples pass through it.
package enum TurningMatrix {
    /// Computes y[r][i] = Σ_c (from[r][c] + w·change[r][c])·x[c][i], where w = (first + i)/length and i < frames.
    ///
    /// `from` and `change` are `rows` × `rows`, row by row. A nil `change` means a constant matrix. The rows of
    /// `inputs` and `outputs` must not overlap. The result is bit-identical, however the frames are divided into calls.
    /// Cannot fail, and is safe on the audio thread. Cost: 2·rows² multiply-adds per frame, rows² with a constant
    /// matrix.
    @_noLocks
    package static func apply(
        rows: Int, inputs: UnsafePointer<UnsafePointer<Float>?>, from: UnsafePointer<Float>,
        change: UnsafePointer<Float>?, first: Int, length: Int, frames: Int,
        outputs: UnsafePointer<UnsafeMutablePointer<Float>?>
    ) {
        prk_turn(frames, rows, inputs, from, change, first, 1 / Float(length), outputs)
    }
}
