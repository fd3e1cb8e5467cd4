import Signal

/// Equaliser of one ear: a gain, second-order sections and taps, in series.
package struct EarFilter: Sendable {
    /// Gain, linear.
    package let gain: Double
    /// Sections, in series; empty if there are none.
    package let sections: [SecondOrderSection]
    /// Taps of a minimum-phase response; empty if there is none.
    package let taps: [Float]
}
