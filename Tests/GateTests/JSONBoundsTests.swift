import Gate
import Testing

/// Limits of a JSON text, checked before it is decoded.
@Suite struct JSONBoundsTests {
    private let bounds = JSONBounds(bytes: 1000, values: 40, entries: 10, text: 20, depth: 3)

    private func excess(_ text: String) -> String? { bounds.excess(in: Array(text.utf8)) }

    @Test(arguments: [
        "", "1", "null", "[]", "{}", #"{"a":[1,2,3],"b":{"c":[]}}"#, #"["a\"b,[{","\\",","]"#, "[[[1]]]", "[1", "]]]]",
        #"["cut off"#,
        "[1,2,3,4,5,6,7,8,9,10]", #"["12345678901234567890"]"#, "\\",
    ])
    func `What keeps within the bounds is let pass, whether it is JSON or not`(text: String) {
        #expect(excess(text) == nil, "\(text)")
    }

    @Test(arguments: [
        ("[1,2,3,4,5,6,7,8,9,10,11]", "more than 10 entries"), (#"["123456789012345678901"]"#, "longer than 20 bytes"),
        ("[[[[1]]]]", "more than 3 deep"), (#"{"123456789012345678901":1}"#, "longer than 20 bytes"),
        ("[[[],[],[],[],[],[],[],[],[],[]],[[],[],[],[],[],[],[],[],[],[]]]", "more than 40 values"),
        (#"["cut off and longer than that"#, "longer than 20 bytes"),
    ])
    func `What goes beyond them is told, and where`(text: String, words: String) {
        #expect(excess(text)?.contains(words) == true, "\(String(describing: excess(text)))")
    }

    @Test func `A long text is refused for its length alone`() {
        #expect(excess(String(repeating: " ", count: 1001)) == "it has 1001 bytes, more than 1000")
        let nested = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
        #expect(JSONBounds.written.excess(in: nested) == "it is nested more than 16 deep at byte 17")
    }

    @Test func `A list of a million numbers is refused where it begins to be too long`() {
        let list = Array(("[1" + String(repeating: ",1", count: 999_999) + "]").utf8)
        #expect(JSONBounds.session.excess(in: list)?.contains("more than 16384 entries") == true)
        #expect(JSONBounds.message.excess(in: list) != nil)
    }
}
