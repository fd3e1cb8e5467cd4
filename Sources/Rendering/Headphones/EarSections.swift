import Headphones
import Signal

/// The sections of second order of both ears.
///
/// Both ears are worked on at once; the shorter chain is filled up with sections that do nothing. Made off the audio
/// thread; used by one thread.
struct EarSections: ~Copyable {
    /// Sections in the chain.
    let count: Int
    private let sections: UnsafeMutablePointer<SecondOrderFilterPair>

    /// Chains at rest.
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

    /// Forgets everything heard.
    @_noLocks
    func reset() {
        for index in 0..<count { sections[index].reset() }
    }

    /// Filters `frames` frames in place and multiplies them by `gains`, left and right. Cost: 5 multiply-adds per
    /// section and frame, both ears at once.
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

    /// What is no number would stay for ever.
    @_noLocks
    private func forgetNonsense() {
        for index in 0..<count where !sections[index].isSound { return reset() }
    }
}
