/// How the filters that decode a sound field are found.
package enum DecodingMethod: Sendable, Hashable, CaseIterable {
    /// Magnitudes matched where an order cannot carry the phase too; see `AmbisonicFit`.
    case magnitudeLeastSquares
    /// Complex spectra matched at all frequencies: dull and narrow, here to be compared with.
    case leastSquares
}
