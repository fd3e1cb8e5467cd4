import CAllocations
import HRTF
import Signal

/// Debian's KEMAR as it is played at several rates: the rate makes its filters shorter or longer.
final class Fields {
    /// One field, and the bytes it takes.
    struct Entry {
        let field: FilterField
        let bytes: Int
        let name: String
    }

    nonisolated(unsafe) private static var loaded: [Double: Entry] = [:]

    /// The rate at which its filters had about so many taps when cells were named; a cell's facts say how many they have.
    static func rate(forTaps taps: Int) -> SampleRate? { SampleRate(hertz: 48_000 * Double(taps) / 256) }

    /// The field for a nominal number of taps; loaded once.
    static func field(taps: Int) throws -> Entry {
        guard let rate = rate(forTaps: taps) else { throw Refusal("no rate gives \(taps) taps") }
        if let found = loaded[rate.hertz] { return found }
        let before = bench_bytes_in_use()
        let (field, report) = try FilterField.load(HRTFSelection("kemar"), sampleRate: rate)
        let entry = Entry(
            field: field, bytes: Int(bench_bytes_in_use() - before), name: "\(report.name) at \(Int(rate.hertz)) Hz")
        loaded[rate.hertz] = entry
        return entry
    }
}
