import Gate
import Testing

@Suite struct NearestWordTests {
    @Test func `A nearest word shares most of its letters`() {
        let known = ["from", "until", "duration", "diffuse-field", "gain"]
        #expect(NearestWord.among(known, for: "form") == "from")
        #expect(NearestWord.among(known, for: "dur") == "duration")
        #expect(NearestWord.among(known, for: "GIAN") == "gain")
        #expect(NearestWord.among(known, for: "rate") == nil)
        #expect(NearestWord.among(known, for: "") == nil)
        #expect(NearestWord.among([], for: "from") == nil)
    }
}
