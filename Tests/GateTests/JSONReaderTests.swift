import Foundation
import Gate
import Testing

/// The program's JSON reader, compared with Foundation's.
@Suite struct JSONReaderTests {
    private static let bounds = JSONBounds(bytes: 1 << 16, values: 1 << 12, entries: 1 << 10)

    private func read(_ text: String, lenient: Bool = false) throws(JSONFault) -> JSONValue {
        try JSONValue(text.utf8, within: Self.bounds, lenient: lenient)
    }

    private func fault(_ text: String) -> String {
        do throws(JSONFault) {
            return "read as \(try read(text))"
        } catch {
            return error.description
        }
    }

    @Test func `Values of every kind are read`() throws {
        let text =
            #"{"a": [1, -2.5e3, true, false, null], "b": {"c": "x\n\"\\\/é\u00e9\ud83c\udfb5"}, "d": -0, "e": []}"#
        let value = try read(text)
        #expect(value["a"] == .list([.number(1), .number(-2500), .truth(true), .truth(false), .null]))
        #expect(value["b"]?["c"] == .text("x\n\"\\/éé🎵"))
        #expect(value["d"]?.number?.sign == .minus && value["e"] == .list([]))
        #expect(try read("\u{FEFF}3") == .number(3))
    }

    @Test func `A whole number that is no Double stays whole`() throws {
        #expect(try read("9007199254740993") == .whole(9_007_199_254_740_993))
        #expect(try read("9007199254740992") == .number(0x1p53))
        #expect(try read("18446744073709551615") == .whole(18_446_744_073_709_551_615))
        #expect(try read("18446744073709551617") == .number(0x1p64))
        #expect(try read("1e300") == .number(1e300))
    }

    @Test(arguments: [
        ("", "unexpected end at line 1, column 1"),
        ("{\"a\": 1,\n \"b\" 2}", "unexpected character at line 2, column 6"),
        ("[1, 2", "unexpected end at line 1, column 6"), ("[1 2]", "unexpected character at line 1, column 4"),
        ("\"a", "unexpected end at line 1, column 3"), ("\"\t\"", "unexpected character at line 1, column 2"),
        ("1 1", "unexpected character at line 1, column 3"), ("nul", "unexpected end at line 1, column 4"),
        ("\"\\ud800\"", "an incomplete surrogate pair at line 1, column 8"),
        ("1e999", "a number that is too large at line 1, column 1"),
    ]) func `What is no JSON is told by line and column`(_ text: String, _ reason: String) {
        #expect(fault(text) == reason)
    }

    @Test(arguments: [
        "01", "+1", ".5", "1.", "1e", "-", "0x10", "NaN", "inf", "--1", "1e+", "\"\\u-000\"", "\"\\u00g0\"", "{a: 1}",
        "[1,,2]", "[,]", "{,}", "'a'",
    ])
    func `What others would let pass is refused`(_ text: String) {
        #expect(throws: JSONFault.self) { try read(text) }
        #expect(throws: (any Error).self) {
            try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        }
    }

    @Test func `A comma behind the last value is no fault, and the first of two values of one name counts`() throws {
        #expect(try read("[1,]") == .list([.number(1)]))
        #expect(try read("{\"a\": 1, \"a\": 2,}") == .object(["a": .number(1)]))
    }

    @Test func `Numbers of senders may break the rules`() throws {
        let value = try read("[NaN, nan, -inf, Infinity, +1, .5, 01, null]", lenient: true)
        guard case .list(let list) = value else { return #expect(Bool(false)) }
        #expect(list[0].number?.isNaN == true && list[1].number?.isNaN == true)
        #expect(list[2].number == -.infinity && list[3].number == .infinity)
        #expect(list[4...6].map(\.number) == [1, 0.5, 1] && list[7] == .null)
    }

    @Test func `Bytes that are changed at random are read as Foundation reads them, or refused`() throws {
        let text = Array(
            #"{"loudspeakers": [{"name": "FL", "azimuth": 30.5, "lfe": false}, {"b": [null, -1e-3]}], "é": "\u00e9"}"#
                .utf8)
        var state: UInt64 = 11
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for _ in 0..<3000 {
            var bytes = text
            for _ in 0...next(3) { bytes[next(bytes.count)] = UInt8(next(128)) }
            let ours = try? JSONValue(bytes, within: Self.bounds)
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            // Foundation ends the text at a zero byte.
            guard !bytes.contains(0) else { continue }
            #expect((ours == nil) == (theirs == nil), "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
