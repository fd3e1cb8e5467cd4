import Geometry
import Glibc

/// Stored responses of a set at the session's rate, which play unprocessed at their own directions.
///
/// They are copied if the rates are equal and all delays are whole samples. Otherwise all are resampled once, for rate
/// and fractional delay, and the ringing at both ends is kept down to −120 dB.
struct StoredResponses: Sendable {
    /// Responses `[direction][ear][sample]` at the session's rate. Sample 0 of a row is at time `places[row]`.
    private let rows: [Float]
    private let taps: Int
    /// Time of sample 0 of each row, whole samples at the session's rate, `[direction][ear]`; may be negative.
    private let places: [Int]

    /// Level below which the ends are removed, dB below the peak of each response.
    static let silence = 120.0

    init(_ set: MeasuredSet, sampleRate: Double) {
        let ratio = sampleRate / set.sampleRate
        let delays = set.delays.map { $0 * ratio }
        let wholes = delays.map { Int(($0 + 1e-6).rounded(.down)) }
        if ratio == 1, zip(delays, wholes).allSatisfy({ abs($0 - Double($1)) < 1e-6 }) {
            rows = set.responses
            taps = set.sampleCount
            places = wholes
            return
        }
        let conversion = ResponseConversion(from: set.sampleRate, to: sampleRate)
        let margin = Int((Double(conversion.reach) * ratio).rounded(.up)) + 1
        let length = Int((Double(set.sampleCount) * ratio).rounded(.up)) + 2 * margin + 1
        let converted = conversion.convert(
            set.responses, taps: set.sampleCount, lead: { Double(margin) + delays[$0] - Double(wholes[$0]) },
            length: length)
        let (start, end) = ResponseConversion.silentEnds(converted, taps: length, silence: StoredResponses.silence)
        let taps = length - start - end
        var kept = [Float](repeating: 0, count: delays.count * taps)
        for row in delays.indices {
            for i in 0..<taps { kept[row * taps + i] = converted[row * length + start + i] }
        }
        rows = kept
        self.taps = taps
        places = wholes.map { $0 - margin + start }
    }

    /// Time of the earliest stored sample, samples.
    var earliest: Double { Double(places.min() ?? 0) }

    /// Returns the number of samples needed to play all responses with a delay of `shift` samples.
    func length(shift: Double) -> Int { taps + (places.max() ?? 0) + Int(shift.rounded(.up)) }

    /// Returns all responses delayed by `shift` samples (a whole number), `[direction][ear][total]`.
    func placed(shift: Double, taps total: Int) -> [Float] {
        var result = [Float](repeating: 0, count: places.count * total)
        for row in places.indices {
            let place = places[row] + Int(shift.rounded())
            for i in max(0, -place)..<max(max(0, -place), min(taps, total - place)) {
                result[row * total + place + i] = rows[row * taps + i]
            }
        }
        return result
    }
}
