/// Time between the starts of overlapping sweeps from several loudspeakers.
///
/// A recording contains sweeps that start one after the other, one for each loudspeaker. After deconvolution, the
/// response of each loudspeaker lies at the start of its sweep. The responses of its harmonics lie before this time. At
/// the right spacing, no harmonic of a later sweep falls into an earlier response, although the sweeps overlap
/// (Majdak, Balazs & Laback, "Multiple exponential sweep method for fast measurement of head-related transfer
/// functions", JAES 55 (2007), §2).
package enum SweepSpacing {
    /// Highest harmonic that is kept out of the responses.
    package static let highestHarmonic = 5

    /// Returns the least time between the starts of equal sweeps at which no harmonic falls into an earlier response,
    /// seconds: a multiple of 1 ms, or the duration of a sweep and a response if no shorter time is possible.
    ///
    /// - Parameters:
    ///   - response: time that one response may last, seconds: from 5 ms before the direct sound to the end of its
    ///     fade-out.
    ///   - harmonic: length of a harmonic's response, seconds.
    ///   - count: number of sweeps.
    package static func least(
        _ sweep: ExponentialSweep, response: Double, harmonic: Double, count: Int
    ) -> Double {
        let longest = sweep.seconds + response
        guard count > 1 else { return longest }
        let advances = (2...highestHarmonic).map { sweep.advance(ofHarmonic: $0) }
        var milliseconds = (response * 1000).rounded(.up)
        while milliseconds < longest * 1000 {
            let spacing = milliseconds / 1000
            // Time relative to an earlier sweep's response. Harmonic k of the sweep that starts `apart` sweeps later
            // lies at apart·spacing − L·ln k (L: time constant of the sweep; L·ln k is `advance`).
            let isFree = (1..<count).allSatisfy { apart in
                advances.allSatisfy { advance in
                    let start = Double(apart) * spacing - advance
                    return start >= response || start + harmonic <= 0
                }
            }
            if isFree { return spacing }
            milliseconds += 1
        }
        return longest
    }
}
