/// Distance between overlapping sweeps of several loudspeakers.
///
/// A deconvolved recording of sweeps that begin one after the other holds each loudspeaker's response at its sweep's
/// start, preceded by those of its harmonics. With the right distance no harmonic of a later sweep falls into the
/// response of an earlier one: the sweeps interleave and overlap (Majdak, Balazs & Laback, "Multiple exponential sweep
/// method for fast measurement of head-related transfer functions", JAES 55 (2007), §2).
package enum SweepSpacing {
    /// Highest harmonic that is kept out of the responses.
    package static let highestHarmonic = 5

    /// Returns the least distance between the starts of equal sweeps, seconds: a multiple of 1 ms.
    ///
    /// - Parameters:
    ///   - response: length of a response with everything that its window needs, seconds.
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
            // Seen from an earlier response, harmonic k of the sweep `apart` places on is at apart·spacing − L·ln k.
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
