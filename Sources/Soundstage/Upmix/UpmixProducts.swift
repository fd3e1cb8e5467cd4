import CKernels
import Signal

/// Products of two channels' spectra with a set of masks. They are the spectra of the centre and of the two surrounds.
///
/// Spectra are `[chunk of 16 bins][re 16][im 16]`. Results are three rows of that format. Cost: about 0.3 ns per bin.
enum UpmixProducts {
    /// √½: gain of the centre and of the surrounds in the downmix.
    static var root: Float { @_noLocks get { 0.707_106_77 } }

    /// Multiplies by real masks `[mask][bin]`.
    @_noLocks
    static func real(
        bins: Int, masks: UnsafePointer<Float>, left: UnsafePointer<Float>, right: UnsafePointer<Float>,
        results: UnsafePointer<UnsafeMutablePointer<Float>?>
    ) {
        prk_upmix_real(bins, masks, left, right, results)
    }

    /// Multiplies by complex masks `[mask][chunk][re 16][im 16]`.
    @_noLocks
    static func complex(
        bins: Int, masks: UnsafePointer<Float>, left: UnsafePointer<Float>, right: UnsafePointer<Float>,
        results: UnsafePointer<UnsafeMutablePointer<Float>?>
    ) {
        prk_upmix_complex(bins, masks, left, right, results)
    }
}
