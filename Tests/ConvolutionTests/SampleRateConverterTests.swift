import Foundation
import Testing

@testable import Convolution

@Suite struct SampleRateConverterTests {
    @Test(arguments: [(44_100.0, 48_000.0), (48_000, 44_100), (44_100, 192_000), (96_000, 44_100)])
    func aToneStaysAToneInLevelAndTime(_ old: Double, _ new: Double) throws {
        let frames = 4096
        let tone = (0..<frames).map { Float(sin(2 * .pi * 1000 * Double($0) / old)) }
        let converted = try SampleRateConverter.convert(tone + tone, count: 2, inputRate: old, outputRate: new)
        let length = converted.count / 2
        #expect(length == Int((Double(frames) * new / old).rounded(.up)))
        for i in (length / 4)..<(length / 2) {
            #expect(abs(Double(converted[i]) - sin(2 * .pi * 1000 * Double(i) / new)) < 1e-5)
            #expect(converted[i] == converted[length + i])
        }
    }

    @Test func equalRatesChangeNothing() throws {
        #expect(
            try SampleRateConverter.convert([1, 2, 3], count: 1, inputRate: 48_000, outputRate: 48_000) == [1, 2, 3])
    }
}
