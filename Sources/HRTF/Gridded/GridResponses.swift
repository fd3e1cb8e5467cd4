/// A set's responses on the points of a grid.
struct GridResponses: Sendable {
    /// `[point][ear][tap]`, onsets at `preroll`.
    var rows: [Float]
    var taps: Int
    /// `[point][ear]`: when sound arrives, samples.
    var arrivals: [Float]
    /// Where onsets stand in the rows, samples.
    var preroll: Double

    /// What may be cut off at either end of converted responses, dB re the energy of each in the mean.
    static let inaudible = -108.0

    /// Some of the rows, spread over the sphere: 400 to 800, or all.
    private var some: [Float] {
        stride(from: 0, to: arrivals.count, by: max(1, arrivals.count / 400)).flatMap { row in
            rows[(row * taps)..<((row + 1) * taps)]
        }
    }

    /// What is to be played around the rows where they are delayed.
    var margins: DelayMargins { DelayMargins(some, taps: taps) }

    /// The same at another rate in hertz. Nothing but the rate changes:
    /// below 0.45 of the lower one all plays as it did.
    func converted(from old: Double, to new: Double) -> GridResponses {
        guard new != old else { return self }
        let conversion = ResponseConversion(from: old, to: new)
        let ratio = conversion.ratio
        let margin = Int((Double(conversion.reach) * ratio).rounded(.up))
        let whole = Int((Double(taps) * ratio).rounded(.up)) + 2 * margin
        // Some rows say how long what the converter rings is worth playing.
        let (start, end) = ResponseConversion.ends(
            conversion.convert(some, taps: taps, start: -margin, length: whole), taps: whole,
            costing: GridResponses.inaudible)
        let length = whole - start - end
        return GridResponses(
            rows: conversion.convert(rows, taps: taps, start: start - margin, length: length), taps: length,
            arrivals: arrivals.map { $0 * Float(ratio) }, preroll: preroll * ratio + Double(margin - start))
    }
}
