import Testing

@testable import Session

@Suite struct MIDIControlTests {
    @Test func wordsNameAPortAndWhatIsHeardOfIt() throws {
        #expect(try MIDIControl.Binding(parsing: "pedal").trigger == .note(nil))
        #expect(try MIDIControl.Binding(parsing: "nano,note=36").trigger == .note(36))
        let pedal = try MIDIControl.Binding(parsing: "nano:out,cc=64")
        #expect(pedal.port == "nano:out" && pedal.trigger == .controller(64))
        for words in ["", ",note=1", "a,note=128", "a,cc", "a,note=x", "a,bend=1", "a,note=1,cc=2", "a,note=1=2"] {
            #expect(throws: SessionError.self) { try MIDIControl.Binding(parsing: words) }
        }
    }

    @Test func aKeyRecentresWhenItGoesDown() {
        var any = MIDIControl.Press(.note(nil))
        #expect(any.begins(with: [0x93, 60, 100]))
        #expect(!any.begins(with: [0x93, 60, 0]) && !any.begins(with: [0x83, 60, 64]))
        #expect(!any.begins(with: [0xB0, 64, 127]) && !any.begins(with: [0xF0, 1, 2, 3, 0xF7]))
        var one = MIDIControl.Press(.note(36))
        #expect(one.begins(with: [0x90, 36, 1]) && !one.begins(with: [0x90, 37, 1]))
    }

    @Test func aPedalRecentresOnceEachTimeItGoesDown() {
        var pedal = MIDIControl.Press(.controller(64))
        let values: [UInt8] = [0, 30, 70, 127, 127, 20, 64, 0]
        #expect(
            values.map { pedal.begins(with: [0xB2, 64, $0]) } == [
                false, false, true, false, false, false, true, false,
            ])
        #expect(!pedal.begins(with: [0xB2, 65, 127]))
    }
}
