import Foundation
import Gate
import Testing

/// Types that are decoded by the one reader of JSON.
@Suite struct JSONDecodingTests {
    private enum Content: Codable, Equatable {
        case set(sampleRate: Double?, name: String)
        case number(Double)
        case room
    }

    private enum Word: String, Codable { case first, second }

    private struct Inner: Codable, Equatable {
        var values: [Float]
        var isOn: Bool
        var seed: UInt64
    }

    private struct Outer: Codable, Equatable {
        var version = 1
        var name = "é\n\"🎵"
        var level = -2.5e-3
        var absent: Double?
        var present: Int? = -7
        var word = Word.second
        var bytes: [UInt8] = [0, 255]
        var vector = SIMD3(1.0, 2, 3)
        var range: ClosedRange<Double> = -1...4
        var grid: [[Double]] = [[1, 2], [], [3]]
        var holes: [Int?] = [1, nil, 3]
        var byName = [
            "a": Inner(values: [0.1, -3e38], isOn: true, seed: .max), "b": Inner(values: [], isOn: false, seed: 0),
        ]
        var contents: [Content] = [
            .set(sampleRate: 48_000, name: "x"), .set(sampleRate: nil, name: ""), .number(3), .room,
        ]
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONValue.decode(type, from: text.utf8, within: .session)
    }

    @Test func `What Foundation encodes is decoded as the same value`() throws {
        for formatting: JSONEncoder.OutputFormatting in [[], [.prettyPrinted, .sortedKeys]] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            let value = Outer()
            let bytes = try encoder.encode(value)
            #expect(try JSONValue.decode(Outer.self, from: bytes, within: .session) == value)
            #expect(try JSONValue(bytes, within: .session).decoded(as: Outer.self) == value)
        }
    }

    @Test func `Infinities are read from texts where a writer encodes them so`() throws {
        let read = try JSONValue.decode(
            [Double].self, from: #"["inf", "-inf", 1, "nan"]"#.utf8, within: .session, hasInfinities: true)
        #expect(read[0] == .infinity && read[1] == -.infinity && read[2] == 1 && read[3].isNaN)
        #expect(throws: DecodingError.self) { try decode([Double].self, #"["inf"]"#) }
    }

    @Test(arguments: ["0.5", "-1", "256", "\"1\"", "true", "null", "[1]", "{}"])
    func `A number that a type does not hold is refused`(_ text: String) {
        #expect(throws: DecodingError.self) { try decode(UInt8.self, text) }
    }

    @Test func `Errors name the place of the value`() throws {
        func path(_ text: String) -> String? {
            do {
                _ = try decode([String: Inner].self, text)
            } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context)
            {
                return context.codingPath.map(\.stringValue).joined(separator: ".")
            } catch DecodingError.keyNotFound(let key, _) {
                return "without \(key.stringValue)"
            } catch { return "\(error)" }
            return nil
        }
        #expect(path(#"{"a": {"values": [1, "x"], "isOn": true, "seed": 1}}"#) == "a.values.Index 1")
        #expect(path(#"{"a": {"values": [], "isOn": 1, "seed": 1}}"#) == "a.isOn")
        #expect(path(#"{"a": {"values": [], "isOn": null, "seed": 1}}"#) == "a.isOn")
        #expect(path(#"{"a": {"values": [], "isOn": true, "seed": -1}}"#) == "a.seed")
        #expect(path(#"{"a": {"values": [], "isOn": true}}"#) == "without seed")
        #expect(path(#"{"a": 3}"#) == "a")
        #expect(path(#"{"a": "#) == "unexpected end at line 1, column 7")
    }

    @Test func `A JSON value is decoded as it is, by this decoder alone`() throws {
        let text = #"{"a": [1, null, {"b": true}], "c": 18446744073709551615, "d": "x"}"#
        let whole = try #require(JSONValue(parsing: text))
        #expect(try JSONValue.decode(JSONValue.self, from: text.utf8, within: .session) == whole)
        let members = try JSONValue.decode([String: JSONValue].self, from: text.utf8, within: .session)
        #expect(members.count == 3 && members["a"] == whole["a"] && members["d"]?.text == "x")
        #expect(members["c"]?.numeral == "18446744073709551615")
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
    }

    @Test func `A text beyond the limits is not decoded`() {
        #expect(throws: JSONFault.self) {
            try JSONValue.decode(
                [Int].self, from: "[1, 2, 3, 4]".utf8, within: JSONBounds(bytes: 1000, values: 100, entries: 2))
        }
    }
}
