import SeededRandom
import Stages

extension Parameter {
    /// Returns a random value from the parameter's words and ranges, so that new rows are included.
    func anyValue(_ chance: inout SplitMix) -> ParameterValue? {
        if let word = words.randomElement(using: &chance), numbers.isEmpty || chance.unit() < 0.3 { return .word(word) }
        guard !numbers.isEmpty else { return nil }
        // Beyond a quarter turn the same place has other angles.
        let ranges = id == "place" ? [-170...170, -80...80, -170...170] : numbers.map(\.range)
        return .numbers(
            zip(ranges, numbers).map { range, number in
                let value = Double.random(in: range, using: &chance)
                let found = [range.lowerBound, range.upperBound, value, value].randomElement(using: &chance) ?? value
                return number.isWhole ? found.rounded() : (found * 100).rounded() / 100
            })
    }
}
