import Headphones
import Signal

/// The sections of second order of both ears, in double precision: transposed direct form II, whose rounding stays
/// below −280 dB of the signal even at the lowest corners.
///
/// Both ears are worked on at once; the shorter chain is filled up with sections that do nothing. Made off the audio
/// thread; used by one thread.
struct EarSections: ~Copyable {
    /// A section of both ears: coefficients and what it remembers.
    private struct Section: BitwiseCopyable {
        var b0: SIMD2<Double>, b1: SIMD2<Double>, b2: SIMD2<Double>, a1: SIMD2<Double>, a2: SIMD2<Double>
        var z1 = SIMD2<Double>(0, 0), z2 = SIMD2<Double>(0, 0)

        init(_ left: BiquadSection, _ right: BiquadSection) {
            b0 = SIMD2(left.b0, right.b0)
            b1 = SIMD2(left.b1, right.b1)
            b2 = SIMD2(left.b2, right.b2)
            a1 = SIMD2(left.a1, right.a1)
            a2 = SIMD2(left.a2, right.a2)
        }
    }

    /// Sections in the chain.
    let count: Int
    private let sections: UnsafeMutablePointer<Section>

    /// Chains at rest.
    init(left: [BiquadSection], right: [BiquadSection]) {
        count = max(left.count, right.count)
        sections = .allocate(capacity: max(1, count))
        for index in 0..<count {
            (sections + index).initialize(
                to: Section(
                    index < left.count ? left[index] : .identity, index < right.count ? right[index] : .identity))
        }
    }

    deinit { sections.deallocate() }

    /// Forgets everything heard.
    @_noLocks
    func reset() {
        for index in 0..<count {
            sections[index].z1 = SIMD2(0, 0)
            sections[index].z2 = SIMD2(0, 0)
        }
    }

    /// Filters `frames` frames in place and multiplies them by `gains`, left and right. Cost: 5 multiply-adds per
    /// section and frame, both ears at once.
    @_noLocks
    func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, gains: SIMD2<Double>
    ) {
        for i in 0..<frames {
            var value = SIMD2(Double(left[i]), Double(right[i])) * gains
            for index in 0..<count {
                let section = sections + index
                let heard = section.pointee.b0 * value + section.pointee.z1
                section.pointee.z1 = section.pointee.b1 * value - section.pointee.a1 * heard + section.pointee.z2
                section.pointee.z2 = section.pointee.b2 * value - section.pointee.a2 * heard
                value = heard
            }
            left[i] = Float(value.x)
            right[i] = Float(value.y)
        }
        forgetNonsense()
    }

    /// What is no number would stay for ever.
    @_noLocks
    private func forgetNonsense() {
        for index in 0..<count {
            let sum = sections[index].z1 + sections[index].z2
            if !(abs(sum.x) < 1e30 && abs(sum.y) < 1e30) { return reset() }
        }
    }
}
