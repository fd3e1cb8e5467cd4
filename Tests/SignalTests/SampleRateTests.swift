import Testing

@testable import Signal

@Suite struct SampleRateTests {
    @Test(
        arguments: [
            (8000.0, 0.25), (15_999, 0.25), (16_000, 0.5), (31_999, 0.5), (32_000, 1), (44_100, 1), (64_000, 1),
            (64_001, 2), (96_000, 2),
            (192_000, 4), (768_000, 16),
        ])
    func framesLastAboutAsLongAtAllRates(_ hertz: Double, _ scale: Double) throws {
        #expect(try #require(SampleRate(hertz: hertz)).frameScale == scale)
    }
}
