import Foundation

/// Standard normal draws for `PosteriorDraws`, a little wider than the posterior's fit: the same ones each time.
struct NormalDraws {
    /// How much wider the draws are.
    static let width = 1.15

    /// How many draws, and of how many sets each.
    let count: Int, sets: Int
    /// `[draw][set]`, of deviation 1.
    let values: [Double]
    /// What these draws find of a normal distribution, by which they are wider, as a logarithm: 0 but for chance. Taken
    /// off, evidence is exact where the posterior is normal, and nearly so elsewhere.
    let excess: Double

    /// O(count · sets).
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

    /// One draw's values.
    subscript(draw: Int) -> ArraySlice<Double> { values[(draw * sets)..<((draw + 1) * sets)] }
}
