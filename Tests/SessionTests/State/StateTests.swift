import AudioMix
import Desk
import HeadTracking
import MotionLogs
import Soundstage
import Stages
import Testing
import Trackers

@testable import Session

/// Values in force, as every door shows them.
@Suite(.timeLimit(.minutes(10))) struct StateTests {
    /// Parameters without a value of their own.
    private static let says = ["solo-clear", "scene-clear", "abx-answer"]
    /// Values of the parameters that take any text.
    private static let texts = ["layout": "mono", "hrtf": "another", "room-name": "none"]

    /// The effect of such a parameter changes `HeadTrackerOptions.Choices`, of which a log has every property.
    @Test(arguments: Parameter.all.filter { $0.group == .tracking })
    func `A motion log has every parameter of head tracking`(_ parameter: Parameter) throws {
        guard case .tracking(let set) = parameter.effect else {
            Issue.record("\(parameter.id) has no effect on head tracking")
            return
        }
        let events = MotionBuffer()
        let feed = try HeadPoseFeed(TrackingSettings(), events: events, clock: ManualClock()) { _ in }
        var values = parameter.words.map { ParameterValue.word($0) }
        if !parameter.numbers.isEmpty {
            values.append(.numbers(parameter.numbers.map { $0.range.lowerBound }))
            values.append(.numbers(parameter.numbers.map { $0.range.upperBound }))
        }
        var told: Set<HeadTrackerOptions.Choices> = []
        for value in values {
            feed.change { set(&$0, value) }
            for case .following(let choices, _) in events.drain() { told.insert(choices) }
        }
        #expect(told.count == values.count, "\(told)")
    }

    /// Every value is read as it was set, at the address that sets it.
    @Test(arguments: Parameter.all.filter { !Self.says.contains($0.id) }) func whatIsSetIsRead(_ parameter: Parameter)
        async throws
    {
        let rig = try await LiveRig {
            if parameter.group == .mix {
                ($0.stage.layout, $0.stage.programmes.mix) = ("ambi1", .live)
            } else {
                $0.stage.programmes.upmix.mode = .identity
            }
        }
        var values = parameter.words.filter { $0 != "toggle" }.map { ParameterValue.word($0) }
        if !parameter.numbers.isEmpty, parameter.id != "upmix" {
            values += [0, 1].map { end in
                .numbers(parameter.numbers.map { end == 0 ? $0.range.lowerBound : $0.range.upperBound })
            }
        }
        if let text = Self.texts[parameter.id] { values.append(.word(text)) }
        let address =
            parameter.isOfInputs
            ? "input/main/\(parameter.id)"
            : parameter.isOfLoudspeakers ? "loudspeaker/FC/\(parameter.loudspeakerWord)" : parameter.id
        var told = 0
        for value in values {
            let command = SessionCommand.set(ParameterChange(parameter, value))
            // A value that this session refuses leaves the shown one unchanged.
            let before = rig.state[address]
            if await rig.refusal(of: command) != nil {
                #expect(rig.state[address] == before)
                continue
            }
            told += 1
            let read = try #require(rig.state[address], "\(address) is not shown")
            #expect(Self.isSame(read, value, parameter), "\(address) \(value.written) is read as \(read.written)")
        }
        // Without a room, an equalisation, a head tracker, a second rendition or a calibration these have no value.
        let missing = [
            "room", "headphone-eq", "reference", "follow", "yaw-pull", "rendition", "reference-level", "abx-listen",
        ]
        #expect(told > 0 || missing.contains(parameter.id))
        try await rig.live.end()
    }

    /// Returns whether a value is read as it was set: a full turn is 0°, and 0 of dialnorm is −31.
    private static func isSame(_ read: ParameterValue, _ said: ParameterValue, _ parameter: Parameter) -> Bool {
        if parameter.id == "dialnorm", said == .numbers([0]) { return read == .numbers([-31]) }
        guard parameter.id == "place" else { return read == said }
        return read.numbers.allSatisfy { abs($0) < 1e-6 || abs(abs($0) - 180) < 1e-6 }
    }

    @Test func changesAreUndoneAndDoneAgain() async throws {
        let rig = try await LiveRig()
        await rig.done(try .set("level", "-6", of: "main"))
        await rig.clock.advance(by: 1)
        await rig.done(try .set("mode", "fixed", of: nil))
        await rig.done(.history(.undo))
        #expect(rig.state["input/main/mode"] == .word("tracked"))
        #expect(rig.state["input/main/level"] == .numbers([-6]))
        await rig.done(.history(.undo))
        #expect(rig.state["input/main/level"] == .numbers([0]))
        #expect(await rig.refusal(of: .history(.undo)) == "there is nothing to undo")
        await rig.done(.history(.redo))
        await rig.done(.history(.redo))
        #expect(rig.state["input/main/level"] == .numbers([-6]))
        #expect(rig.state["input/main/mode"] == .word("fixed"))
        #expect(await rig.refusal(of: .history(.redo)) == "nothing was undone")
        // A new command removes the steps that could be redone.
        await rig.done(.history(.undo))
        await rig.done(try .set("level", "-3", of: "main"))
        #expect(await rig.refusal(of: .history(.redo)) != nil)
        try await rig.live.end()
    }

    @Test func aFaderThatMovesIsOneStep() async throws {
        let rig = try await LiveRig()
        for level in ["-1", "-2", "-3", "-4"] {
            await rig.done(try .set("level", level, of: "main"))
            await rig.clock.advance(by: 0.1)
        }
        await rig.done(.history(.undo))
        #expect(rig.state["input/main/level"] == .numbers([0]))
        await rig.done(.history(.redo))
        #expect(rig.state["input/main/level"] == .numbers([-4]))
        try await rig.live.end()
    }

    /// A mode that is set by hand ends a comparison; undone, the comparison returns to the modes from before it.
    @Test func aComparisonThatComesBackByUndoEndsAsItWouldHave() async throws {
        let rig = try await LiveRig()
        await rig.done(try .set("compare", "bypass"))
        await rig.clock.advance(by: 1)
        await rig.done(try .set("mode", "fixed", of: "main"))
        #expect(rig.state["compare"] == .word("off"))
        await rig.done(.history(.undo))
        #expect(rig.state["compare"] == .word("bypass") && rig.state["input/main/mode"] == .word("off"))
        await rig.done(try .set("compare", "off"))
        #expect(rig.state["input/main/mode"] == .word("tracked"))
        // The same where the beginning of a comparison is done again.
        await rig.clock.advance(by: 1)
        await rig.done(try .set("mode", "fixed", of: "main"))
        await rig.clock.advance(by: 1)
        await rig.done(try .set("compare", "tracked"))
        await rig.done(.history(.undo))
        await rig.done(.history(.redo))
        await rig.done(try .set("compare", "off"))
        #expect(rig.state["input/main/mode"] == .word("fixed"))
        try await rig.live.end()
    }

    @Test func theLastHundredCommandsAreKept() async throws {
        let rig = try await LiveRig()
        for step in 1...130 {
            await rig.done(try .set("level", "\(-step)", of: "main"))
            await rig.clock.advance(by: 1)
            if step == 100 { await rig.done(try .set("level", "-100", of: "main")) }
            if step == 120 { break }
        }
        for _ in 0..<SessionHistory.capacity { await rig.done(.history(.undo)) }
        #expect(rig.state["input/main/level"] == .numbers([-20]))
        #expect(await rig.refusal(of: .history(.undo)) != nil)
        try await rig.live.end()
    }
}

extension LiveRig {
    /// Values in force.
    var state: [String: ParameterValue] { live.environment.desk.state.state.values }
}
