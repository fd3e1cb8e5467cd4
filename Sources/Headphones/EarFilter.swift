import Signal

/// What one ear gets of an equaliser: a gain, sections of second order and taps, in series.
package struct EarFilter: Sendable {
    /// Linear.
    package let gain: Double
    /// In order; empty: none.
    package let sections: [SecondOrderSection]
    /// A response of minimum phase; empty: none.
    package let taps: [Float]
}
