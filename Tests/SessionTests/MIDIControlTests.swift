import Loading
import Testing

@testable import Session
@testable import Trackers

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
        func pressed(_ trigger: MIDIControl.Binding.Trigger, _ bytes: [UInt8]) -> Bool {
            var press = MIDIControl.Press(trigger)
            return press.begins(with: bytes)
        }
        #expect(pressed(.note(nil), [0x93, 60, 100]))
        let others: [[UInt8]] = [[0x93, 60, 0], [0x83, 60, 64], [0xB0, 64, 127], [0xF0, 1, 2, 3, 0xF7]]
        for other in others { #expect(!pressed(.note(nil), other)) }
        #expect(pressed(.note(36), [0x90, 36, 1]))
        #expect(!pressed(.note(36), [0x90, 37, 1]))
    }

    @Test func aPedalRecentresOnceEachTimeItGoesDown() {
        var pedal = MIDIControl.Press(.controller(64))
        let values: [UInt8] = [0, 30, 70, 127, 127, 20, 64, 0]
        var presses: [Bool] = []
        for value in values { presses.append(pedal.begins(with: [0xB2, 64, value])) }
        #expect(presses == [false, false, true, false, false, false, true, false])
        let isOther = pedal.begins(with: [0xB2, 65, 127])
        #expect(!isOther)
    }
}
