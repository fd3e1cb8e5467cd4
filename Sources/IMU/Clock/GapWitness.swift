/// Whether arrivals show the gaps that stamps do. Where something was lost, the next message comes later than others;
/// a coarse clock's long steps are seen in no arrival.
struct GapWitness: Sendable {
    /// Whether arrivals deny that anything was lost: by more than three times the standard error of what they say.
    private(set) var areDenied = false
    private var count = 0.0
    private var mean = 1.0
    private var variance = 0.0

    /// Takes a gap that should span so many periods: how many the arrivals lay apart.
    mutating func take(_ interval: Double, periods: Double) {
        count = min(64, count + 1)
        // 1 where the arrivals show it, 0 where the next came as usual.
        let share = (interval - 1) / (periods - 1)
        let deviation = share - mean
        mean += deviation / count
        variance += (deviation * (share - mean) - variance) / count
        guard count >= 4 else { return }
        let error = 3 * (variance / count).squareRoot() + 0.1
        if mean + error < 0.5 { areDenied = true } else if mean - error > 0.5 { areDenied = false }
    }
}
