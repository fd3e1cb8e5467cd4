import Gate
import Testing

/// Differences of JSON objects.
@Suite struct JSONDifferenceTests {
    private func value(_ text: String) throws -> JSONValue { try JSONValue(text.utf8, within: .session) }

    @Test func `A difference has the members that are absent or different there, at any depth`() throws {
        let one = try value(#"{"a":1,"b":{"c":2,"d":{"e":[1,2]}},"f":{},"g":3}"#)
        let other = try value(#"{"a":1,"b":{"c":3,"d":{"e":[1,2]}},"g":{},"h":4}"#)
        #expect(try one.difference(from: other) == value(#"{"b":{"c":2},"f":{},"g":3}"#))
        #expect(one.difference(from: one) == nil && one.difference(from: nil) == one)
    }

    @Test func `A filled difference is the value again, with the other object's further members`() throws {
        let one = try value(#"{"a":1,"b":{"c":2,"d":[1]},"g":3}"#)
        let other = try value(#"{"a":2,"b":{"c":2,"d":[2],"e":null},"g":{"i":1},"h":4}"#)
        let difference = try #require(one.difference(from: other))
        #expect(try difference.filled(from: other) == value(#"{"a":1,"b":{"c":2,"d":[1],"e":null},"g":3,"h":4}"#))
        #expect(one.filled(from: nil) == one && one.filled(from: .number(1)) == one)
    }
}
