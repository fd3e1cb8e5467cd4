import Headphones
import Signal

/// Chains of second-order sections for both ears.
///
/// Both ears are filtered at once. The shorter chain is padded with identity sections. One thread uses the chains; they
/// are not made on the audio thread.
struct EarSections: ~Copyable {
    /// Sections in each chain.
    let count: Int
    private let sections: UnsafeMutablePointer<SecondOrderFilterPair>

    /// Makes chains at rest.
    init(left: [SecondOrderSection], right: [SecondOrderSection]) {
        count = max(left.count, right.count)
        sections = .allocate(capacity: max(1, count))
        for index in 0..<count {
            (sections + index).initialize(
                to: SecondOrderFilterPair(
                    index < left.count ? left[index] : .identity, index < right.count ? right[index] : .identity))
        }
    }

    deinit { sections.deallocate() }

    /// Resets to silence.
    @_noLocks
    func reset() {
        for index in 0..<count { sections[index].reset() }
    }

    /// Multiplies `frames` frames by `gains` (left, right) and filters them, in place. Cost: 5 multiply-adds per
    /// section and frame for both ears together.
    @_noLocks
    func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, gains: SIMD2<Double>
    ) {
        for i in 0..<frames {
            var value = SIMD2(Double(left[i]), Double(right[i])) * gains
            for index in 0..<count { value = sections[index](value) }
            left[i] = Float(value.x)
            right[i] = Float(value.y)
        }
        forgetNonsense()
    }

    /// Resets all sections if one of them has a state that is not a number. Such a state would otherwise remain
    /// forever.
    @_noLocks
    private func forgetNonsense() {
        for index in 0..<count where !sections[index].isSound { return reset() }
    }
}
