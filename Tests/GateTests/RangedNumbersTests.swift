import Gate
import Testing

/// Numbers from outside the program, at the limits of their ranges and beyond.
@Suite struct RangedNumbersTests {
    private static let strange: [Double] = [
        .nan, .infinity, -.infinity, 1e300, -1e300, 1e19, -1e19, 0x1p63, -0x1p64, .greatestFiniteMagnitude,
        .leastNonzeroMagnitude,
    ]

    @Test func `What no whole number stands for is none, and what one stands for is it`() {
        for number in Self.strange where number.magnitude > 1 || number.isNaN {
            #expect(Int(number, within: .min ... .max) == nil, "\(number)")
        }
        #expect(Int(2.5, within: 0...9) == 3 && Int(2.5, .down, within: 0...9) == 2 && Int(9.4, within: 0...9) == 9)
        #expect(Int(9.5, within: 0...9) == nil && Int(-0.6, within: 0...9) == nil && Int(-0.4, within: 0...9) == 0)
        #expect(Int(-0x1p63, within: .min ... .max) == .min)
    }

    @Test func `Every number has a nearest one of a range`() {
        for number in Self.strange {
            let nearest = Int(clamping: number, to: -7...1_000_000)
            #expect(nearest == (number > 1 ? 1_000_000 : number.isNaN || number < -1 ? -7 : 0), "\(number)")
        }
        #expect(Int(clamping: 0x1p63, to: 0...Int.max) == .max && Int(clamping: -1e300, to: .min...0) == .min)
        #expect(Int(clamping: 4.7, .down, to: 0...9) == 4 && Int(clamping: 4.7, to: 0...9) == 5)
    }

    @Test(arguments: ["", "-", "nan", "inf", "1e3", "9223372036854775808", "-9223372036854775809", "0x10", "10", " 3"])
    func `A text that spells no number of the range is none`(text: String) {
        #expect(Int(text, within: 0...9) == nil)
    }

    @Test func `Decimal texts are read where they are within the range`() {
        #expect(Int("9223372036854775807", within: 0...Int.max) == .max && Int("7", within: 0...9) == 7)
        for text in ["nan", "-inf", "1e999", "1e9", "", "x"] {
            #expect(Double(text, within: -1e6...1e6) == nil, "\(text)")
        }
        #expect(Double("-2.5e1", within: -1e6...1e6) == -25)
    }

    @Test func `Sums and products end at the ends`() {
        #expect(Int.max.addingSaturated(1) == .max && Int.min.addingSaturated(-1) == .min)
        #expect(3.addingSaturated(4) == 7 && UInt64.max.addingSaturated(1) == .max)
        #expect(Int.max.multipliedSaturated(by: 2) == .max && Int.max.multipliedSaturated(by: -2) == .min)
        #expect(Int.min.multipliedSaturated(by: -1) == .max && (-3).multipliedSaturated(by: 4) == -12)
        #expect(UInt64(1 << 40).multipliedSaturated(by: 1 << 40) == .max)
        #expect(Int.max.adding(1, within: 0...Int.max) == nil && 3.adding(4, within: 0...6) == nil)
        #expect(3.adding(4, within: 0...7) == 7 && 3.multiplied(by: 4, within: 0...12) == 12)
        #expect(Int.max.multiplied(by: 2, within: .min ... .max) == nil && 3.multiplied(by: 4, within: 0...11) == nil)
    }
}
