import Foundation

/// Standard normal draws for `PosteriorDraws`, which scales them by `width`. The seed is fixed.
struct NormalDraws {
    /// Standard deviation of the scaled draws relative to that of the fitted normal distribution.
    static let width = 1.15

    /// Number of draws, and number of sets in each.
    let count: Int, sets: Int
    /// Draws of standard deviation 1, `[draw][set]`.
    let values: [Double]
    /// Natural logarithm of the mean importance weight of the scaled draws if the posterior were the fitted normal
    /// distribution: 0 apart from sampling error. Subtracting `excess` makes the evidence exact for a normal posterior
    /// and nearly exact for others.
    let excess: Double

    /// Makes the draws. O(count · sets).
    init(count: Int, sets: Int) {
        (self.count, self.sets) = (count, sets)
        var draws = SeededDraw(seed: 0x5eed)
        let values = (0..<(count * sets)).map { _ in
            // G. E. P. Box and M. E. Muller, A note on the generation of random normal deviates (1958).
            let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &draws))).squareRoot()
            return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &draws))
        }
        let width = Self.width
        var sum = 0.0
        for draw in 0..<count {
            let square = values[(draw * sets)..<((draw + 1) * sets)].reduce(0) { $0 + $1 * $1 }
            sum += exp(Double(sets) * log(width) - (width * width - 1) * square / 2)
        }
        (self.values, excess) = (values, log(sum / Double(count)))
    }

    /// Values of one draw, `[set]`.
    subscript(draw: Int) -> ArraySlice<Double> { values[(draw * sets)..<((draw + 1) * sets)] }
}
