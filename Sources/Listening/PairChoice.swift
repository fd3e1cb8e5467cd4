import Foundation

/// The pair of HRTF sets for the next round. Its answer is expected to give the most information about which set is the
/// best, or whether any set is better than the others.
///
/// The criterion is the expected information of D. V. Lindley, On a measure of the information provided by an
/// experiment (Annals of Mathematical Statistics 27, 1956): the mutual information between the answer and the best set
/// under the posterior.
package struct PairChoice: Sendable {
    /// Indices of two different sets, the lower first.
    package let first: Int, second: Int
    /// Expected information of an answer, bits.
    package let information: Double

    /// Chooses the pair with the most expected information, a random one among nearly equal pairs. O(sets² · draws).
    /// Needs at least two sets.
    package init(_ posterior: PreferencePosterior, using draws: inout some RandomNumberGenerator) {
        let n = posterior.sets
        var choices: [(pair: (Int, Int), bits: Double)] = []
        let particles = posterior.particles.indices.filter { posterior.particles[$0].weight > 1e-7 }
        for first in 0..<n {
            for second in (first + 1)..<max(n, first + 1) {
                choices.append(((first, second), Self.information(posterior, particles, first, second)))
            }
        }
        let most = choices.reduce(0) { max($0, $1.bits) }
        // Pairs within 3 % of the most information count as equal: smaller differences are within the error of the
        // draws.
        let equal = choices.filter { $0.bits >= most * 0.97 }
        let chosen = equal.randomElement(using: &draws) ?? choices[0]
        (first, second) = chosen.pair
        information = chosen.bits
    }

    /// Returns the mutual information I(answer; best), bits.
    private static func information(
        _ posterior: PreferencePosterior, _ particles: [Int], _ first: Int, _ second: Int
    ) -> Double {
        let n = posterior.sets
        // `[outcome][answer]`: the last two outcomes are a shared first place and no difference.
        var joint = [Double](repeating: 0, count: (n + 2) * 3)
        for index in particles {
            let particle = posterior.particles[index]
            let ratio = posterior.roots[index * n + first] / posterior.roots[index * n + second]
            let total = ratio + 1 / ratio + particle.tieTendency
            let row =
                switch particle.outcome {
                case .best(let set): 3 * set
                case .shared: 3 * n
                case .none: 3 * (n + 1)
                }
            joint[row] += particle.weight * ratio / total
            joint[row + 1] += particle.weight / ratio / total
            joint[row + 2] += particle.weight * particle.tieTendency / total
        }
        let answers = (0..<3).map { answer in stride(from: answer, to: joint.count, by: 3).reduce(0) { $0 + joint[$1] }
        }
        var bits = 0.0
        for best in 0...(n + 1) {
            let share = joint[3 * best] + joint[3 * best + 1] + joint[3 * best + 2]
            for answer in 0..<3 where joint[3 * best + answer] > 0 {
                bits += joint[3 * best + answer] * log2(joint[3 * best + answer] / (share * answers[answer]))
            }
        }
        return max(0, bits)
    }
}
