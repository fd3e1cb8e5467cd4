/// Unevenness of the steps of a cycle: for each position in the cycle the median over all passes. An interruption
/// hits another position in each pass and does not count; a position that is slow in each pass does.
///
/// Only the last cycle of each turn counts: in the first the contender fetches its filters, which other contenders
/// drove out of the caches. These figures complement the percentiles of all steps, which count both.
struct CycleFigures: Codable {
    /// Number of steps in a cycle.
    let steps: Int
    /// Number of turns, each of which gives its last cycle.
    let passes: Int
    /// Median over the positions of a cycle, microseconds per step.
    let medianMicroseconds: Double
    let p99Microseconds: Double
    let longestMicroseconds: Double

    /// Creates the figures of `times`, nanoseconds: turns of `cycles` cycles of `cycle` steps; nil without a turn.
    init?(_ times: [Double], cycle: Int, cycles: Int) {
        let count = times.count / (cycles * cycle)
        guard count > 0 else { return nil }
        let places = (0..<cycle).map { place in
            (0..<count).map { times[(($0 + 1) * cycles - 1) * cycle + place] }.sorted()[count / 2] / 1000
        }.sorted()
        steps = cycle
        passes = count
        medianMicroseconds = places[cycle / 2]
        p99Microseconds = places[min(cycle - 1, Int(0.99 * Double(cycle)))]
        longestMicroseconds = places[cycle - 1]
    }
}
