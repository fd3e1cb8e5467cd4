/// Checks whether the arrivals confirm gaps in the stamps. After a lost message the next message arrives later than
/// usual. A coarse clock also makes long steps between stamps, but these do not delay the arrivals.
struct GapWitness: Sendable {
    /// Whether the arrivals contradict the gaps. This becomes true if the mean of the shares (see `take`) is below 0.5
    /// by more than 0.1 plus three standard errors, and false if it is above 0.5 by as much.
    private(set) var areDenied = false
    private var count = 0.0
    private var mean = 1.0
    private var variance = 0.0

    /// Adds a gap of `periods` periods between stamps; `interval`: time between the arrivals, in periods.
    mutating func take(_ interval: Double, periods: Double) {
        count = min(64, count + 1)
        // 1 if the arrivals confirm the gap, 0 if the next message came at the usual time.
        let share = (interval - 1) / (periods - 1)
        let deviation = share - mean
        mean += deviation / count
        variance += (deviation * (share - mean) - variance) / count
        guard count >= 4 else { return }
        let error = 3 * (variance / count).squareRoot() + 0.1
        if mean + error < 0.5 { areDenied = true } else if mean - error > 0.5 { areDenied = false }
    }
}
