import Signal
import Testing

@testable import Convolution

/// A convolver of two ears, each with its own response, against the definition of convolution.
@Suite struct EarConvolverTests {
    private func noise(_ count: Int, seed: UInt64) -> [Float] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
        }
    }

    private func defined(_ x: [Float], _ h: [Float]) -> [Double] {
        x.indices.map { n in
            h.indices.prefix(n + 1).reduce(0.0) { $0 + Double(h[$1]) * Double(x[n - $1]) }
        }
    }

    private func run(_ convolver: inout EarConvolver, _ rows: [[Float]], cuts: [Int]) -> [[Float]] {
        var (left, right) = (rows[0], rows[1])
        var (done, call) = (0, 0)
        while done < left.count {
            let count = min(cuts[call % cuts.count], left.count - done)
            left.withUnsafeMutableBufferPointer { l in
                right.withUnsafeMutableBufferPointer { r in
                    convolver.process(l.baseAddress! + done, r.baseAddress! + done, count: count)
                }
            }
            done += count
            call += 1
        }
        return [left, right]
    }

    @Test(arguments: [64, 128, 256], [(1, 1), (64, 3), (65, 64), (1000, 700)])
    func `It is direct convolution from the first sample on, however the stream is cut`(
        _ slice: Int, _ taps: (left: Int, right: Int)
    ) {
        let filters = [noise(taps.left, seed: 1), noise(taps.right, seed: 2)]
        let sound = [noise(3000, seed: 3), noise(3000, seed: 4)]
        for cuts in [[slice], [1, 63, 7, 500], [3000]] {
            var convolver = EarConvolver(left: filters[0], right: filters[1], slice: slice)
            // The reset clears the input before it.
            _ = run(&convolver, [noise(777, seed: 5), noise(777, seed: 6)], cuts: cuts)
            convolver.reset()
            let heard = run(&convolver, sound, cuts: cuts)
            for ear in 0..<2 {
                let wanted = defined(sound[ear], filters[ear])
                let error = zip(heard[ear], wanted).reduce(0.0) { $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1) }
                let power = wanted.reduce(0) { $0 + $1 * $1 }
                #expect(error < 1e-12 * power, "ear \(ear), cuts \(cuts): \(error / power)")
            }
        }
    }
}
