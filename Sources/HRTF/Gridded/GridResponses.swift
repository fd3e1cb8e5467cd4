/// A set's responses on the points of a grid.
struct GridResponses: Sendable {
    /// `[point][ear][tap]`, with onsets at `onset`. In divided responses this is the part with all frequencies.
    var rows: [Float]
    var taps: Int
    /// Arrival times, samples, `[point][ear]`.
    var arrivals: [Float]
    /// Position of the onsets in the rows, samples.
    var onset: Double
    /// The part of low frequencies; empty if the responses are not divided.
    var low = FilterField.LowRows()

    init(rows: [Float], taps: Int, arrivals: [Float], onset: Double) {
        (self.rows, self.taps, self.arrivals, self.onset) = (rows, taps, arrivals, onset)
    }

    /// Mean energy that may be removed at either end of converted responses, dB relative to each response's energy.
    static let inaudible = (divided: -106.0, whole: -108.0)

    /// Number of samples that are kept on either side of converted rows of low frequencies.
    private static let lowMargin = 4

    /// Some of the rows, spread over the sphere: 400 to 800, or all if there are fewer.
    private var some: [Float] {
        stride(from: 0, to: arrivals.count, by: max(1, arrivals.count / 400)).flatMap { row in
            rows[(row * taps)..<((row + 1) * taps)]
        }
    }

    /// Numbers of samples that are played before and after the delayed rows.
    var margins: DelayMargins {
        DelayMargins(
            some, taps: taps, leaving: low.taps > 0 ? DelayMargins.inaudible.divided : DelayMargins.inaudible.whole)
    }

    /// Returns the responses divided into two parts; unchanged if `design` is nil.
    func divided(_ design: PartDesign?, sampleRate: Double) -> GridResponses {
        guard let design else { return self }
        let (wide, low) = design.divide(rows)
        var result = GridResponses(rows: wide, taps: design.wideTaps, arrivals: arrivals, onset: onset)
        result.low = FilterField.LowRows(
            rows: low, taps: design.low.count, start: design.low.lowerBound, limit: PartDesign.limit / sampleRate)
        return result
    }

    /// Returns the responses at another rate in hertz, unchanged below 0.45 of the lower rate.
    func converted(from old: Double, to new: Double) -> GridResponses {
        guard new != old else { return self }
        let isDivided = low.taps > 0
        let conversion = ResponseConversion(from: old, to: new, transition: isDivided ? .shared : .full)
        let ratio = conversion.ratio
        let margin = Int((Double(conversion.reach) * ratio).rounded(.up))
        let whole = Int((Double(taps) * ratio).rounded(.up)) + 2 * margin
        // The ringing of the converter is trimmed by its energy in some rows.
        let (start, end) = ResponseConversion.ends(
            conversion.convert(some, taps: taps, start: Double(-margin), length: whole), taps: whole,
            costing: isDivided ? GridResponses.inaudible.divided : GridResponses.inaudible.whole)
        let length = whole - start - end
        var result = GridResponses(
            rows: conversion.convert(rows, taps: taps, start: Double(start - margin), length: length), taps: length,
            arrivals: arrivals.map { $0 * Float(ratio) }, onset: onset * ratio + Double(margin - start))
        guard isDivided else { return result }
        // Low rows begin at a whole sample of the new rate, so that both parts can be added. Low rows begin and end
        // smoothly (`PartDesign`), so their margins are short.
        let begin = Int((Double(low.start) * ratio).rounded(.down)) - GridResponses.lowMargin
        let lowLength = Int((Double(low.taps) * ratio).rounded(.up)) + 2 * GridResponses.lowMargin
        result.low = FilterField.LowRows(
            rows: conversion.convert(
                low.rows, taps: low.taps, start: Double(begin) - Double(low.start) * ratio, length: lowLength),
            taps: lowLength, start: begin + margin - start, limit: low.limit / ratio)
        return result
    }
}
