import Stages
import Testing

@testable import Surfaces

@Suite struct MackieSurfaceTests {
    private static func note(_ note: UInt8, _ isDown: Bool = true) -> MIDIMessage {
        isDown ? .noteOn(channel: 0, note: note, velocity: 127) : .noteOff(channel: 0, note: note, velocity: 0)
    }

    /// Returns a device with `count` inputs, i0 onwards, whose levels are set.
    private static func surface(_ count: Int = 10) -> MackieSurface {
        var surface = MackieSurface(MackieMap(inputs: (0..<count).map { "i\($0)" }))
        let levels = (0..<count).map { (address: "input/i\($0)/level", value: ParameterValue.numbers([Double(-$0)])) }
        _ = surface.hear(levels, at: 0)
        return surface
    }

    private static func faders(_ messages: [MIDIMessage]) -> [Int: Int] {
        var found: [Int: Int] = [:]
        for message in messages {
            if case .pitchBend(let channel, let value) = message { found[Int(channel)] = Int(value) }
        }
        return found
    }

    /// Returns the texts of a line, by strip.
    private static func texts(_ messages: [MIDIMessage], line: Int) -> [Int: String] {
        var found: [Int: String] = [:]
        for message in messages {
            guard case .system(let bytes) = message, bytes.count == 15,
                bytes.starts(with: [0xF0, 0, 0, 0x66, 0x14, 0x12])
            else { continue }
            let place = Int(bytes[6])
            if place / 56 == line { found[place % 56 / 7] = String(decoding: bytes[7..<14], as: UTF8.self) }
        }
        return found
    }

    private static func position(_ level: Double) -> Int {
        guard let number = SurfaceScale.table("level")?.numbers.first else { return -1 }
        return Int((FaderLaw(number).position(of: level) * Double(MackieWire.fullScale)).rounded())
    }

    @Test(arguments: [15_935, 16_368, 16_383]) func theUpperEndIsTenDecibelsOnEveryDevice(_ end: UInt16) {
        var surface = Self.surface()
        _ = surface.refresh(at: 0)
        _ = surface.receive(Self.note(0x68), at: 1)
        #expect(surface.receive(.pitchBend(channel: 0, value: end), at: 1).requests.first?.value == .numbers([10]))
    }

    @Test func aRemovedValueIsShownNoMore() {
        var surface = Self.surface(2)
        _ = surface.hear([("monitor-mute", .word("on"))], at: 0)
        #expect(surface.refresh(at: 1).contains(Self.note(0x38)))
        let messages = surface.forget(["input/i1/level", "monitor-mute", "layout"], at: 2)
        #expect(Self.texts(messages, line: 1) == [1: "       "])
        #expect(messages.contains(Self.note(0x38, false)))
        #expect(surface.forget(["input/i1/level"], at: 3).isEmpty)
    }

    @Test func aDeviceIsShownAllThereIsWhenItIsConnected() {
        var surface = Self.surface(3)
        let messages = surface.refresh(at: 1)
        #expect(
            Self.faders(messages)
                == [0: Self.position(0), 1: Self.position(-1), 2: Self.position(-2), 3: 0, 4: 0, 5: 0, 6: 0, 7: 0])
        #expect(Self.texts(messages, line: 0)[2] == "i2     ")
        #expect(Self.texts(messages, line: 1)[2] == "-2.0   " && Self.texts(messages, line: 1)[5] == "       ")
        // No message is sent twice.
        #expect(surface.hear([("input/i0/level", .numbers([0]))], at: 2).isEmpty)
        #expect(surface.settle(at: 3).isEmpty)
    }

    @Test func fadersSetLevelsAndAreSentBackWhereTheyWereMovedToWhenTheyAreLetGo() {
        var surface = Self.surface()
        _ = surface.refresh(at: 0)
        #expect(surface.receive(Self.note(0x68), at: 1).requests.isEmpty)
        let output = surface.receive(.pitchBend(channel: 0, value: 8000), at: 1)
        #expect(output.requests.count == 1 && output.requests[0].address == "input/i0/level")
        let value = output.requests[0].value ?? .word("")
        #expect(Self.texts(output.messages, line: 1)[0] == "-14.9  ")
        #expect(Self.faders(output.messages).isEmpty)
        #expect(Self.faders(surface.hear([("input/i0/level", value)], at: 1.01)).isEmpty)
        #expect(Self.faders(surface.settle(at: 30)).isEmpty)
        _ = surface.receive(Self.note(0x68, false), at: 30)
        #expect(Self.faders(surface.settle(at: 31)) == [0: 8000])
        #expect(Self.faders(surface.settle(at: 32)).isEmpty)
    }

    @Test func whileAFaderIsTouchedOthersMayNotMoveIt() {
        var surface = Self.surface()
        _ = surface.refresh(at: 0)
        _ = surface.receive(Self.note(0x69), at: 1)
        let told = surface.hear([("input/i0/level", .numbers([-30])), ("input/i1/level", .numbers([-30]))], at: 2)
        #expect(Self.faders(told) == [0: Self.position(-30)])
        _ = surface.receive(Self.note(0x69, false), at: 3)
        #expect(Self.faders(surface.settle(at: 4)) == [1: Self.position(-30)])
    }

    @Test func banksAndChannelsMoveTheStripsAndNotBeyondTheEnds() {
        var surface = Self.surface()
        _ = surface.refresh(at: 0)
        func names(_ button: UInt8, at now: Double) -> String? {
            let messages = surface.receive(Self.note(button), at: now).messages
            return Self.texts(messages, line: 0)[0]
        }
        #expect(names(MackieWire.bankRight, at: 1) == "i2     ")
        #expect(names(MackieWire.bankRight, at: 2) == nil)
        #expect(names(MackieWire.channelLeft, at: 3) == "i1     ")
        #expect(names(MackieWire.bankLeft, at: 4) == "i0     ")
        #expect(names(MackieWire.channelLeft, at: 5) == nil)
        let messages = surface.receive(Self.note(MackieWire.channelRight), at: 6).messages
        #expect(Self.faders(messages)[0] == Self.position(-1))
        let requests = surface.receive(.pitchBend(channel: 0, value: 0), at: 7).requests
        #expect(requests == [SurfaceRequest("input/i1/level", .word("off"))])
        var few = Self.surface(3)
        #expect(few.receive(Self.note(MackieWire.bankRight), at: 1).requests.isEmpty)
        #expect(few.first == 0)
    }

    @Test func buttonsTurnOverAndTheirLampsSayWhatIsInForce() {
        var surface = Self.surface()
        _ = surface.refresh(at: 0)
        _ = surface.hear([("input/i2/mute", .word("off"))], at: 0)
        let output = surface.receive(Self.note(0x12), at: 1)
        #expect(output.requests == [SurfaceRequest("input/i2/mute", .word("on"))])
        // The lamp lights once the mute is in force.
        #expect(!output.messages.contains(Self.note(0x12)))
        #expect(surface.hear([("input/i2/mute", .word("on"))], at: 1.1) == [Self.note(0x12)])
        #expect(surface.receive(Self.note(0x12, false), at: 1.2).requests.isEmpty)
        #expect(surface.hear([("input/i2/mute", .word("off"))], at: 2).contains(Self.note(0x12, false)))
        // Select has no binding: it marks a channel, and the mark moves with the channel.
        #expect(surface.receive(Self.note(0x19), at: 3).messages.contains(Self.note(0x19)))
        let moved = surface.receive(Self.note(MackieWire.channelRight), at: 4).messages
        #expect(moved.contains(Self.note(0x18)) && moved.contains(Self.note(0x19, false)))
    }

    @Test func knobsTurnShowTheirRingsAndGoBackWhenPressed() {
        var surface = Self.surface()
        _ = surface.refresh(at: 0)
        _ = surface.hear([("input/i0/place", .numbers([0, 5, 0]))], at: 0)
        func turn(_ value: UInt8, at now: Double) -> SurfaceOutput {
            surface.receive(.controller(channel: 0, number: 0x10, value: value), at: now)
        }
        let right = turn(3, at: 1)
        #expect(right.requests == [SurfaceRequest("input/i0/place", .numbers([3, 5, 0]))])
        #expect(Self.texts(right.messages, line: 1)[0] == "3      ")
        #expect(turn(0x41, at: 1.1).requests == [SurfaceRequest("input/i0/place", .numbers([2, 5, 0]))])
        // After a moment the display shows the level again.
        #expect(surface.next ?? 0 > 1.1)
        #expect(Self.texts(surface.settle(at: 3), line: 1)[0] == "0.0    ")
        // The range is −360 to 360, lit from the middle lamp on: half way to the right is the ninth lamp of eleven.
        let ring = surface.hear([("input/i0/place", .numbers([180, 5, 0]))], at: 4)
        #expect(ring == [.controller(channel: 0, number: 0x30, value: 0x10 | 9)])
        #expect(
            surface.receive(Self.note(0x20), at: 5).requests == [SurfaceRequest("input/i0/place", .numbers([0, 5, 0]))])
        // Another assignment of the knobs.
        let chosen = surface.receive(Self.note(MackieWire.assignment + 2), at: 6).messages
        #expect(chosen.contains(Self.note(MackieWire.assignment + 2)))
        #expect(turn(1, at: 7).requests.first?.address == "input/i0/source-width")
    }

    @Test func otherButtonsDoWhatTheMapSays() {
        var map = MackieMap(inputs: ["main"])
        map.buttons = ["play": .init("resume"), "f1": .init("mode", value: ["fixed"]), "cycle": .init("room")]
        var surface = MackieSurface(map)
        #expect(surface.faults.isEmpty)
        #expect(surface.receive(Self.note(0x5E), at: 0).requests == [SurfaceRequest("resume")])
        #expect(surface.receive(Self.note(0x36), at: 0).requests == [SurfaceRequest("mode", .word("fixed"))])
        #expect(surface.receive(Self.note(0x56), at: 0).requests == [SurfaceRequest("room", .word("toggle"))])
        #expect(surface.hear([("mode", .word("fixed"))], at: 1).contains(Self.note(0x36)))
        #expect(surface.hear([("room", .word("on"))], at: 1).contains(Self.note(0x56)))
        #expect(surface.hear([("mode", .word("tracked"))], at: 1).contains(Self.note(0x36, false)))
    }

    @Test func whatTheMapNamesAndIsNotThereIsSaidAndLeftOut() {
        var map = MackieMap()
        var strip = MackieMap.Strip("x")
        (strip.fader, strip.mute) = ("nothing", "input/main/none")
        strip.knobs = [.init("place", part: "depth")]
        map.strips = [strip]
        (map.master, map.buttons) = ("recentre", ["f1": .init("mode", value: ["sideways"]), "f2": .init("level")])
        #expect(MackieSurface(map).faults.count == 6)
    }

    @Test func textsAreSevenBytesOfASCII() {
        for (text, shown) in [
            ("", "       "), ("Main", "Main   "), ("Surround", "Surrou "), ("Höhe", "Hohe   "),
            ("\u{2212}3", "-3     "),
            ("主", "?      "), ("^`~", "^`~    "),
        ] {
            #expect(String(decoding: MackieWire.characters(text), as: UTF8.self) == shown)
        }
        #expect(
            MackieWire.text("", strip: 3, line: 1, extender: true).bytes.prefix(7) == [
                0xF0, 0, 0, 0x66, 0x15, 0x12, 77,
            ])
    }

    @Test func ringsHaveElevenLamps() {
        let lamps = stride(from: 0.0, through: 1, by: 0.1).map { MackieWire.ring(2, $0, .fromLeft).bytes }
        #expect(lamps == (1...11).map { [0xB0, 0x32, 0x20 | $0] })
        #expect(MackieWire.ring(0, nil, .fromLeft).bytes == [0xB0, 0x30, 0])
    }
}
