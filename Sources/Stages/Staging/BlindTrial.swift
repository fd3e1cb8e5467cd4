import Foundation

/// A blind comparison of two scenes: X is one of the two, drawn anew for every answer, and hidden from the listener.
///
/// This is the test of W. A. Munson and M. B. Gardner, Standardizing auditory tests (JASA 22, 1950), in the form of D.
/// Clark, High-resolution subjective testing using a double-blind comparator (JAES 30, 1982).
package struct BlindTrial: Sendable, Equatable {
    /// Sounds of the comparison.
    package enum Sound: String, Sendable, CaseIterable { case a, b, x }

    /// Numbers of two scenes.
    package struct Pair: Sendable, Equatable {
        /// Numbers of the scenes A and B.
        package let a: Int, b: Int
    }

    /// The scenes A and B.
    package let pair: Pair
    /// Whether X is A.
    package private(set) var isXFirst: Bool
    /// The sound that plays.
    package var sound = Sound.a
    /// Count of answers so far.
    package private(set) var count = 0
    /// Count of right answers.
    package private(set) var correct = 0

    /// Creates a trial without answers.
    package init(_ pair: (a: Int, b: Int), using generator: inout some RandomNumberGenerator) {
        self.pair = Pair(a: pair.a, b: pair.b)
        isXFirst = Bool.random(using: &generator)
    }

    /// Returns the scene of a sound.
    package func scene(of sound: Sound) -> Int {
        switch sound {
        case .a: pair.a
        case .b: pair.b
        case .x: isXFirst ? pair.a : pair.b
        }
    }

    /// Records an answer, and draws X anew. `isFirst`: whether the listener's answer is A.
    package mutating func answer(isFirst: Bool, using generator: inout some RandomNumberGenerator) {
        count += 1
        if isFirst == isXFirst { correct += 1 }
        isXFirst = Bool.random(using: &generator)
    }

    /// Probability of at least this count of right answers by chance: the upper tail of the binomial distribution with
    /// probability one half.
    package var chance: Double { Self.chance(correct, of: count) }

    /// Returns the probability of at least `correct` right answers of `count` by guessing.
    package static func chance(_ correct: Int, of count: Int) -> Double {
        guard correct > 0 else { return 1 }
        // `coefficient`: natural logarithm of the binomial coefficient, updated from one number of right answers to the
        // next.
        var (coefficient, sum) = (0.0, 0.0)
        for k in 0...count {
            if k >= correct { sum += exp(coefficient - Double(count) * log(2)) }
            coefficient += log(Double(max(1, count - k))) - log(Double(k + 1))
        }
        return min(1, sum)
    }

    /// Result in words.
    package var result: String {
        count == 0
            ? "no answer was given"
            : "\(correct) of \(count) correct; chance alone: \(String(format: "%.3f", chance))"
    }
}
