import SeededRandom
import Testing

@testable import AudioMix

@Suite struct FieldAlgebraTests {
    private func quad(_ random: inout SplitMix) -> Quad {
        func lanes() -> SIMD4<Float> { SIMD4((0..<4).map { _ in Float(random.unit() - 0.5) }) }
        return Quad(re: lanes(), im: lanes())
    }

    @Test func aMatrixTimesItsInverseIsOne() {
        var random = SplitMix(state: 3)
        for _ in 0..<200 {
            var matrix = QuadMatrix.zero
            for _ in 0..<6 { matrix.remember(quad(&random), keep: 0.9, weight: 1) }
            matrix.addDiagonal(0.05)
            let inverse = matrix.inverse(), x = quad(&random)
            let back = matrix * (inverse * x)
            for channel in 0..<4 {
                let error = (back[channel] - x[channel]).power
                #expect(error < 1e-7)
            }
        }
    }

    @Test func whatIsRememberedIsTheOuterProduct() {
        var random = SplitMix(state: 4)
        let x = quad(&random), y = quad(&random)
        var matrix = QuadMatrix.zero
        matrix.remember(x, keep: 0, weight: 2)
        // x·(xᴴy)·2.
        let expected = Quad.dot(x, y) * 2, product = matrix * y
        for channel in 0..<4 {
            let error = (product[channel] - x[channel] * expected).power
            #expect(error < 1e-10)
        }
        let trace = matrix.trace, whole = 2 * x.power
        #expect(abs(trace - whole) < 1e-5)
    }
}
