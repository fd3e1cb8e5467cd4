/// How uneven the steps of a cycle are by themselves: of each place in the cycle the median over all passes, so that an
/// interruption, which strikes another place each time, does not count and a place that is slow in each pass does.
///
/// Only the last cycle of each turn counts here: in the first the contender fetches its filters again that the others drove
/// out of the caches. These figures stand beside the percentiles of all steps, which count both, and do not replace them.
struct CycleFigures: Codable {
    /// Steps of a cycle.
    let steps: Int
    /// Turns, of whose last cycles these are.
    let passes: Int
    /// Over the places of a cycle, microseconds per step.
    let medianMicroseconds: Double
    let p99Microseconds: Double
    let longestMicroseconds: Double

    /// Of times in nanoseconds, turn after turn of `cycles` cycles of `cycle` steps each; nil where there is none.
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
