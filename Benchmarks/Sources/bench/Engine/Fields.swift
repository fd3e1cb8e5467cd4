import CAllocations
import HRTF
import Signal

/// Debian's KEMAR at several sample rates: the rate sets the length of its filters.
final class Fields {
    /// One field, its size in bytes and its name.
    struct Entry {
        let field: FilterField
        let bytes: Int
        let name: String
    }

    nonisolated(unsafe) private static var loaded: [Double: Entry] = [:]

    /// Returns the sample rate for a nominal number of taps. The facts of a cell state the actual number.
    static func rate(forTaps taps: Int) -> SampleRate? { SampleRate(hertz: 48_000 * Double(taps) / 256) }

    /// Returns the field for a nominal number of taps. Each field is loaded once.
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
