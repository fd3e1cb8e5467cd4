/// A set's responses on the points of a grid.
struct GridResponses: Sendable {
    /// Responses `[point][ear][tap]` with onsets at `preroll`.
    var rows: [Float]
    var taps: Int
    /// Arrival times, samples, `[point][ear]`.
    var arrivals: [Float]
    /// Position of the onsets in the rows, samples.
    var preroll: Double

    /// Energy that may be cut off at each end of converted responses, dB re that of each response in the mean.
    static let inaudible = -108.0

    /// Some of the rows, spread over the sphere: 400 to 800, or all if fewer.
    private var some: [Float] {
        stride(from: 0, to: arrivals.count, by: max(1, arrivals.count / 400)).flatMap { row in
            rows[(row * taps)..<((row + 1) * taps)]
        }
    }

    /// Margins around the rows that a delay needs.
    var margins: DelayMargins { DelayMargins(some, taps: taps) }

    /// Returns the responses at another rate in hertz, unchanged below 0.45 of the lower rate.
    func converted(from old: Double, to new: Double) -> GridResponses {
        guard new != old else { return self }
        let conversion = ResponseConversion(from: old, to: new)
        let ratio = conversion.ratio
        let margin = Int((Double(conversion.reach) * ratio).rounded(.up))
        let whole = Int((Double(taps) * ratio).rounded(.up)) + 2 * margin
        // The converter's ringing is trimmed by its energy in some rows.
        let (start, end) = ResponseConversion.ends(
            conversion.convert(some, taps: taps, start: -margin, length: whole), taps: whole,
            costing: GridResponses.inaudible)
        let length = whole - start - end
        return GridResponses(
            rows: conversion.convert(rows, taps: taps, start: start - margin, length: length), taps: length,
            arrivals: arrivals.map { $0 * Float(ratio) }, preroll: preroll * ratio + Double(margin - start))
    }
}
