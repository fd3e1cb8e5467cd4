import CRealtime

/// The rise (1 − cos πx)/2 from 0 at 0 to 1 at 1: half a Hann window.
///
/// Modulation by it has no sidelobes near a tone. It is therefore the shape of windows, and of fades between two
/// signals that are nearly the same.
package enum RaisedCosine {
    /// Returns the value `along` a rise, 0…1; constant outside.
    package static func value(_ along: Double) -> Double { 0.5 - 0.5 * prc_cos(.pi * max(0, min(1, along))) }

    /// Returns the value of step `index` of a rise of `count` ≥ 1 steps, 0…count.
    package static func value(_ index: Int, of count: Int) -> Double {
        0.5 - 0.5 * prc_cos(.pi * Double(index) / Double(count))
    }
}
