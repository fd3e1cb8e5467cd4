import CRealtime

/// The rise (1 − cos πx)/2 from 0 at x = 0 to 1 at x = 1, half a Hann window.
///
/// Its slope is continuous, so the sidebands of a modulated tone fall by 18 dB per octave of frequency distance from
/// the tone (12 dB with a linear rise). It is used for windows, and for fades between two signals that are nearly
/// equal.
package enum RaisedCosine {
    /// Returns the value at the position `along` the rise, 0…1. Outside the rise it is constant.
    package static func value(_ along: Double) -> Double { 0.5 - 0.5 * prc_cos(.pi * max(0, min(1, along))) }

    /// Returns the value at step `index`, 0…count, of a rise of `count` ≥ 1 steps.
    package static func value(_ index: Int, of count: Int) -> Double {
        0.5 - 0.5 * prc_cos(.pi * Double(index) / Double(count))
    }
}
