import Signal

extension FieldPreparation {
    /// What may be cut off converted responses, dB below each one's peak.
    static let inaudible = 110.0

    /// Responses, onsets and preroll at the session's rate, as long as what rings there is audible.
    func convert(_ source: inout ScatteredResponses, _ preroll: inout Double) {
        let conversion = ResponseConversion(from: set.sampleRate, to: sampleRate.hertz)
        let ratio = conversion.ratio
        let margin = Int((Double(conversion.reach) * ratio).rounded(.up))
        let length = Int((Double(source.taps) * ratio).rounded(.up)) + 2 * margin
        let converted = conversion.convert(
            source.rows, taps: source.taps, lead: { _ in Double(margin) }, length: length)
        let (start, end) = ResponseConversion.silentEnds(
            converted, taps: length, silence: FieldPreparation.inaudible)
        let taps = 16 * ((length - start - end + 15) / 16)
        let count = 2 * set.directions.count
        var kept = [Float](repeating: 0, count: count * taps)
        for row in 0..<count {
            for i in 0..<min(taps, length - start) { kept[row * taps + i] = converted[row * length + start + i] }
        }
        source.rows = kept
        source.taps = taps
        source.sampleRate = sampleRate.hertz
        source.highest = 0.46 * min(set.sampleRate, sampleRate.hertz)
        source.onsets = source.onsets.map { $0 * ratio }
        preroll = preroll * ratio + Double(margin - start)
    }
}
