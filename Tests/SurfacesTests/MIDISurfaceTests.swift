import Stages
import Testing

@testable import Surfaces

@Suite struct MIDISurfaceTests {
    private static func surface(_ bindings: SurfaceBinding...) -> MIDISurface { MIDISurface(bindings) }

    private static func binding(
        _ control: String, _ address: String, channel: UInt8? = 0, _ change: (inout SurfaceBinding) -> Void = { _ in }
    ) throws -> SurfaceBinding {
        var binding = SurfaceBinding(try #require(SurfaceControl(control, channel: channel)), address)
        change(&binding)
        return binding
    }

    private static func cc(_ number: UInt8, _ value: UInt8) -> MIDIMessage {
        .controller(channel: 0, number: number, value: value)
    }

    @Test func aFaderSetsALevelByItsLaw() throws {
        var surface = Self.surface(try Self.binding("cc 7", "input/main/level"))
        let law = FaderLaw(try #require(SurfaceScale.table("level")).numbers[0])
        for value: UInt8 in [1, 64, 127] {
            let requests = surface.receive(Self.cc(7, value), at: 0).requests
            #expect(requests == [SurfaceRequest("input/main/level", .numbers([law.value(at: Double(value) / 127)]))])
        }
        #expect(surface.receive(Self.cc(7, 0), at: 0).requests == [SurfaceRequest("input/main/level", .word("off"))])
        #expect(surface.receive(Self.cc(8, 0), at: 0) == SurfaceOutput())
    }

    @Test func fourteenBitsComeInTwoHalvesOfWhichTheCoarseOneBeginsAnew() throws {
        var surface = Self.surface(try Self.binding("cc14 1", "drc-cut"))
        func set(_ number: UInt8, _ value: UInt8) -> Double? {
            surface.receive(Self.cc(number, value), at: 0).requests.first?.value?.number
        }
        #expect(set(1, 64) == Double(64 << 7) / 16_383)
        #expect(set(33, 1) == Double(64 << 7 | 1) / 16_383)
        #expect(set(33, 2) == Double(64 << 7 | 2) / 16_383)
        #expect(set(1, 127) == Double(127 << 7) / 16_383)
        #expect(set(33, 127) == 1)
        var bend = Self.surface(try Self.binding("bend", "drc-cut"))
        #expect(bend.receive(.pitchBend(channel: 0, value: 16_383), at: 0).requests.first?.value?.number == 1)
    }

    @Test func endlessKnobsGoOnFromTheValueInForce() throws {
        for (encoding, left) in [(RelativeEncoding.twosComplement, 127), (.binaryOffset, 63), (.signBit, 65)] {
            let right = encoding == .binaryOffset ? 65 : 1
            var surface = Self.surface(
                try Self.binding("cc 16", "source-width") { ($0.relative, $0.step) = (encoding, 2) })
            _ = surface.hear([("source-width", .numbers([30]))], at: 0)
            func turn(_ value: Int, at now: Double) -> Double? {
                surface.receive(Self.cc(16, UInt8(value)), at: now).requests.first?.value?.number
            }
            #expect(turn(right, at: 1) == 32)
            // The next step adds to the requested value, which the session has not reported yet.
            #expect(turn(right, at: 1.01) == 34)
            #expect(turn(left, at: 1.02) == 32)
            // A request that the session never confirms is forgotten.
            #expect(turn(right, at: 2) == 32)
        }
    }

    @Test func aNoteTurnsOverAndAControllerFollows() throws {
        var surface = Self.surface(try Self.binding("note 36", "input/main/mute"))
        let (down, up) = (
            MIDIMessage.noteOn(channel: 0, note: 36, velocity: 100),
            MIDIMessage.noteOff(channel: 0, note: 36, velocity: 0)
        )
        #expect(surface.receive(down, at: 0).requests == [SurfaceRequest("input/main/mute", .word("toggle"))])
        #expect(surface.receive(up, at: 0).requests.isEmpty)
        _ = surface.hear([("input/main/mute", .word("on"))], at: 1)
        #expect(surface.receive(down, at: 2).requests == [SurfaceRequest("input/main/mute", .word("off"))])
        var pedal = Self.surface(try Self.binding("cc 64", "input/main/mute"))
        var said: [String] = []
        for value: UInt8 in [0, 63, 64, 127, 70, 30, 64] {
            said += pedal.receive(Self.cc(64, value), at: 0).requests.compactMap { $0.value?.word }
        }
        #expect(said == ["off", "on", "off", "on"])
        var held = Self.surface(try Self.binding("note 36", "input/main/mute") { $0.press = .follows })
        #expect(held.receive(down, at: 0).requests.first?.value == .word("on"))
        #expect(held.receive(up, at: 0).requests.first?.value == .word("off"))
        var button = Self.surface(try Self.binding("cc 20", "input/main/mute") { $0.press = .turnsOver })
        _ = button.hear([("input/main/mute", .word("off"))], at: 0)
        #expect(button.receive(Self.cc(20, 127), at: 0).requests.first?.value == .word("on"))
        #expect(button.receive(Self.cc(20, 0), at: 0).requests.isEmpty)
        #expect(button.receive(Self.cc(20, 127), at: 0.1).requests.first?.value == .word("off"))
    }

    @Test func deedsAreDoneOncePerPress() throws {
        var surface = Self.surface(
            try Self.binding("note 36", "recentre"), try Self.binding("cc 64", "recentre"),
            try Self.binding("program 9", "recentre"))
        let deed = [SurfaceRequest("recentre")]
        #expect(surface.receive(.noteOn(channel: 0, note: 36, velocity: 1), at: 0).requests == deed)
        #expect(surface.receive(.noteOff(channel: 0, note: 36, velocity: 1), at: 0).requests.isEmpty)
        var count = 0
        for value: UInt8 in [0, 30, 70, 127, 127, 20, 64, 0] {
            count += surface.receive(Self.cc(64, value), at: 0).requests.count
        }
        #expect(count == 2)
        #expect(surface.receive(.program(channel: 0, number: 9), at: 0).requests == deed)
        #expect(surface.receive(.program(channel: 0, number: 8), at: 0).requests.isEmpty)
    }

    @Test func programmesChooseByNumberOrByWhatIsSaid() throws {
        let scenes: SurfaceTable = { $0 == "scene" ? SurfaceScale(words: ["intro", "verse", "end"]) : nil }
        var any = MIDISurface([try Self.binding("program", "scene")], table: scenes)
        #expect(
            any.receive(.program(channel: 0, number: 1), at: 0).requests == [SurfaceRequest("scene", .word("verse"))])
        #expect(any.receive(.program(channel: 0, number: 3), at: 0).requests.isEmpty)
        var one = MIDISurface([try Self.binding("program 7", "scene") { $0.value = ["end"] }], table: scenes)
        #expect(one.receive(.program(channel: 0, number: 7), at: 0).requests == [SurfaceRequest("scene", .word("end"))])
    }

    @Test func aFaderThatPicksUpDoesNotLeap() throws {
        var surface = Self.surface(try Self.binding("cc 7", "drc-cut") { $0.picksUp = true })
        _ = surface.hear([("drc-cut", .numbers([0.5]))], at: 0)
        func set(_ value: UInt8, at now: Double) -> Double? {
            surface.receive(Self.cc(7, value), at: now).requests.first?.value?.number
        }
        #expect(set(10, at: 1) == nil)
        #expect(set(50, at: 1.1) == nil)
        // Past the value in force: from here on the fader moves it.
        #expect(set(70, at: 1.2) == 70.0 / 127)
        #expect(set(100, at: 1.3) == 100.0 / 127)
        _ = surface.hear([("drc-cut", .numbers([100.0 / 127]))], at: 1.4)
        #expect(set(90, at: 3) == 90.0 / 127)
        // Another client sets the value: the fader loses it.
        _ = surface.hear([("drc-cut", .numbers([0.1]))], at: 3.1)
        #expect(set(91, at: 4) == nil)
    }

    // MARK: Feedback

    @Test func theDeviceIsToldWhatOthersSetAndNothingTwice() throws {
        var surface = Self.surface(
            try Self.binding("cc 7", "drc-cut"), try Self.binding("cc14 2", "drc-cut"),
            try Self.binding("bend", "drc-cut"),
            try Self.binding("note 5", "mute"), try Self.binding("note 6", "mode") { $0.value = ["fixed"] },
            try Self.binding("cc 9", "drc-cut") { $0.givesFeedback = false })
        #expect(
            surface.hear([("drc-cut", .numbers([1]))], at: 0) == [
                Self.cc(7, 127), Self.cc(2, 127), Self.cc(34, 127), .pitchBend(channel: 0, value: 16_383),
            ])
        #expect(surface.hear([("drc-cut", .numbers([1]))], at: 0).isEmpty)
        #expect(surface.hear([("mute", .word("on"))], at: 0) == [.noteOn(channel: 0, note: 5, velocity: 127)])
        #expect(surface.hear([("mute", .word("off"))], at: 0) == [.noteOff(channel: 0, note: 5, velocity: 0)])
        #expect(surface.hear([("mode", .word("fixed"))], at: 0) == [.noteOn(channel: 0, note: 6, velocity: 127)])
        #expect(surface.hear([("unbound", .numbers([1]))], at: 0).isEmpty)
        #expect(surface.refresh(at: 1).count == 6)
    }

    @Test func whatAFaderSetIsNotSentBackToIt() throws {
        var surface = Self.surface(try Self.binding("cc 7", "drc-cut"))
        let value = try #require(surface.receive(Self.cc(7, 80), at: 0).requests.first?.value)
        #expect(surface.hear([("drc-cut", value)], at: 0.01).isEmpty)
        #expect(surface.settle(at: 10).isEmpty && surface.next == nil)
    }

    @Test func aMovingFaderIsLeftAloneAndBroughtToTheValueAfterwards() throws {
        var surface = Self.surface(try Self.binding("cc 7", "drc-cut"))
        _ = surface.receive(Self.cc(7, 80), at: 0)
        #expect(surface.hear([("drc-cut", .numbers([0]))], at: 0.1).isEmpty)
        #expect(surface.settle(at: 0.2).isEmpty)
        #expect(surface.next == MotorPosition.rest)
        #expect(surface.settle(at: MotorPosition.rest) == [Self.cc(7, 0)])
        #expect(surface.settle(at: 10).isEmpty)
    }

    @Test func aTouchedFaderIsLeftAloneUntilItIsLetGo() throws {
        var surface = Self.surface(
            try Self.binding("bend", "drc-cut") { $0.touch = SurfaceControl(.note(104), channel: 0) })
        _ = surface.receive(.noteOn(channel: 0, note: 104, velocity: 127), at: 0)
        #expect(surface.hear([("drc-cut", .numbers([0.25]))], at: 5).isEmpty)
        #expect(surface.settle(at: 60).isEmpty && surface.next == nil)
        _ = surface.receive(.noteOff(channel: 0, note: 104, velocity: 0), at: 60)
        #expect(surface.settle(at: 60.1).isEmpty)
        #expect(surface.settle(at: 60.4) == [.pitchBend(channel: 0, value: 4096)])
    }

    @Test func whatIsRefusedGoesBack() throws {
        var surface = Self.surface(try Self.binding("cc 7", "drc-cut"))
        _ = surface.hear([("drc-cut", .numbers([1]))], at: 0)
        _ = surface.receive(Self.cc(7, 3), at: 1)
        #expect(surface.refused("drc-cut", at: 1.01).isEmpty)
        #expect(surface.settle(at: 2) == [Self.cc(7, 127)])
    }

    @Test func aControlOfAnyChannelIsAnsweredWhereItSpoke() throws {
        var surface = Self.surface(try Self.binding("cc 7", "drc-cut", channel: nil))
        _ = surface.receive(.controller(channel: 5, number: 7, value: 1), at: 0)
        #expect(
            surface.hear([("drc-cut", .numbers([1]))], at: 9) == [.controller(channel: 5, number: 7, value: 127)])
    }

    @Test func bindingsThatCannotWorkAreSaidAndLeftOut() throws {
        let surface = Self.surface(
            try Self.binding("cc 1", "nothing"), try Self.binding("note 1", "level"),
            try Self.binding("cc 2", "place") { $0.part = "depth" },
            try Self.binding("cc 3", "level") { $0.value = ["999"] }, try Self.binding("cc 4", "level"))
        #expect(surface.count == 1)
        #expect(surface.faults.count == 4)
        for (fault, words) in zip(surface.faults, ["no address", "takes numbers", "yaw, pitch, roll", "does not take"])
        {
            #expect(fault.contains(words), "\(fault)")
        }
    }
}

@Suite struct MIDILearnerTests {
    private static func learn(_ messages: [MIDIMessage]) -> SurfaceBinding? {
        var learner = MIDILearner("level")
        for (index, message) in messages.enumerated() {
            if let found = learner.receive(message, at: Double(index) * 0.01) { return found }
        }
        return learner.settle(at: MIDILearner.watch + 0.01 * Double(messages.count))
    }

    private static func cc(_ number: UInt8, _ values: [UInt8]) -> [MIDIMessage] {
        values.map { .controller(channel: 2, number: number, value: $0) }
    }

    @Test func whatIsMovedNextIsBound() {
        let cases: [([MIDIMessage], String, RelativeEncoding?)] = [
            ([.noteOn(channel: 2, note: 36, velocity: 1)], "note 36", nil),
            ([.program(channel: 2, number: 4)], "program 4", nil),
            ([.pitchBend(channel: 2, value: 9)], "bend", nil),
            (Self.cc(7, [10, 11, 12]), "cc 7", nil),
            (Self.cc(7, [64]), "cc 7", nil),
            (Self.cc(7, [1, 1, 127]), "cc 7", .twosComplement),
            (Self.cc(1, [5]) + Self.cc(33, [100]), "cc14 1", nil),
            (Self.cc(33, [100]) + Self.cc(1, [5]), "cc14 1", nil),
            // A released key, channel pressure and a keyboard's own controllers (123) are no controls.
            (
                [.noteOff(channel: 2, note: 1, velocity: 0), .channelPressure(channel: 2, pressure: 9)]
                    + Self.cc(123, [0]) + Self.cc(9, [5, 6]), "cc 9", nil
            ),
        ]
        for (messages, control, relative) in cases {
            let found = Self.learn(messages)
            #expect(found?.control.written == control && found?.relative == relative, "\(messages)")
            #expect(found?.control.channel == 2 && found?.address == "level")
        }
    }

    @Test func nothingIsBoundBeforeSomethingMovesAndNothingTwice() {
        var learner = MIDILearner("level")
        #expect(learner.settle(at: 100) == nil && learner.next == nil)
        #expect(learner.receive(.controller(channel: 0, number: 7, value: 3), at: 100) == nil)
        #expect(learner.next == 100 + MIDILearner.watch)
        #expect(learner.settle(at: 100 + MIDILearner.watch) != nil)
        #expect(learner.settle(at: 200) == nil && learner.next == nil)
        #expect(learner.receive(.noteOn(channel: 0, note: 7, velocity: 3), at: 300) == nil)
    }

    @Test func aKeyIsNotLearntForALevel() {
        var surface = ControlSurface(SurfaceMap())
        let learns = surface.learn("input/main/level")
        #expect(learns)
        _ = surface.receive(.noteOn(channel: 0, note: 36, velocity: 1), at: 0)
        #expect(surface.learning == "input/main/level" && surface.map.bindings.isEmpty)
        _ = surface.receive(.pitchBend(channel: 0, value: 1), at: 1)
        #expect(surface.learning == nil && surface.map.bindings.map(\.control.written) == ["bend"])
    }

    @Test func whatIsLearntTakesThePlaceOfWhatTheControlMovedBefore() throws {
        var map = SurfaceMap()
        map.bindings = [
            SurfaceBinding(SurfaceControl(.controller(7), channel: 0), "drc-cut"),
            SurfaceBinding(SurfaceControl(.controller(8), channel: 0), "drc-boost"),
        ]
        var surface = ControlSurface(map)
        let learns = (surface.learn("nothing"), surface.learn("drc-boost"))
        #expect(learns == (false, true) && surface.learning == "drc-boost")
        _ = surface.hear([("drc-boost", .numbers([1]))], at: 0)
        // During learning the control moves nothing.
        #expect(surface.receive(.controller(channel: 0, number: 7, value: 1), at: 1).requests.isEmpty)
        let told = surface.settle(at: 2)
        #expect(told.contains(.controller(channel: 0, number: 7, value: 127)))
        #expect(surface.learning == nil)
        #expect(surface.map.bindings.map(\.address) == ["drc-boost", "drc-boost"])
        let requests = surface.receive(.controller(channel: 0, number: 7, value: 127), at: 3).requests
        #expect(requests == [SurfaceRequest("drc-boost", .numbers([1]))])
    }
}
