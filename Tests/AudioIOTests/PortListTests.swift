import Testing

@testable import AudioIO

@Suite struct PortListTests {
    @Test(arguments: [
        ("system:playback_{1,2}", ["system:playback_1", "system:playback_2"]),
        ("phones:left,phones:right", ["phones:left", "phones:right"]),
        ("a:{l,r},b:.*", ["a:l", "a:r", "b:.*"]), ("one", ["one"]), ("a{b", ["a{b"]), ("{1,{2,3}}", ["1", "2", "3"]),
    ])
    func listsAndBracesNameWhatAShellWould(_ list: String, _ ports: [String]) {
        #expect(JACKConnections.alternatives(list) == ports)
    }

    @Test func aCountOfARegularExpressionIsNoList() {
        #expect(JACKConnections.alternatives("a_[0-9]{2}_{L,R}") == ["a_[0-9]{2}_L", "a_[0-9]{2}_R"])
        #expect(JACKConnections.alternatives("a_[0-9]{2}") == ["a_[0-9]{2}"])
    }

    @Test func starsStandForAnyLettersAndAllElseForItself() {
        #expect(JACKConnections.starred("player:out_*") == "^player:out_.*$")
        #expect(JACKConnections.starred("a.b (1)*:[x]") == #"^a\.b \(1\).*:\[x\]$"#)
        #expect(JACKConnections.starred("player:out_1") == nil)
    }

    @Test(arguments: [
        ("system:capture_1*", ["system:capture_1", "system:capture_10", "system:capture_11"]),
        ("system:capture_1[0]*", ["system:capture_1", "system:capture_10"]),
        ("system:capture_1", ["system:capture_1"]),
        (".*capture_2", ["system:capture_2"]),
    ]) func starsAreAShellsUnlessTheNameIsARegularExpression(_ name: String, _ wanted: [String]) throws {
        let ports = ["system:capture_1", "system:capture_2", "system:capture_10", "system:capture_11"]
        let expression = try Regex(try #require(JACKConnections.expressions(of: name).first))
        #expect(ports.filter { $0.wholeMatch(of: expression) != nil }.sorted() == wanted.sorted())
    }
}
