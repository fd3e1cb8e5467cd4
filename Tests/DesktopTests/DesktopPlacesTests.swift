import Testing

@testable import Desktop

/// The sinks of programs' streams by the rules, and the volumes of further sinks.
@Suite struct DesktopPlacesTests {
    private static let main = 200, past = 300, upmix = 400, phones = 100, firefox = 600, game = 610, chat = 620

    private let sinks: [DesktopSink]
    private var fixture = GraphFixture()
    private var wiring: DesktopWiring
    private var rules = StreamRules()

    init() throws {
        sinks = [try DesktopSink(layout: "7.1"), try DesktopSink(input: "past"), try DesktopSink(input: "upmix")]
        wiring = DesktopWiring(
            sinks[0], beside: Array(sinks.dropFirst()), to: DesktopOutput(name: "phones", description: "Phones"),
            process: 4711)
        fixture.addSink(Self.phones, "phones", "Phones", #", "device.form-factor": "headset""#)
        for (id, sink) in zip([Self.main, Self.past, Self.upmix], sinks) {
            fixture.addSink(id, sink.name, sink.description, positions: sink.channels.map(\.position))
        }
        fixture.addStream(Self.firefox, #""application.name": "Firefox", "media.role": "Music""#)
        fixture.addStream(Self.game, #""application.name": "Game", "media.role": "Game""#)
        fixture.addStream(Self.chat, #""application.name": "Chat", "media.role": "Communication""#)
    }

    /// Returns the requests for streams in the present graph.
    private mutating func places(at now: Double = 100) -> [DesktopWiring.Step] {
        wiring.look(at: fixture.graph, now: now).filter { if case .place = $0 { true } else { false } }
    }

    private mutating func follow(_ change: (inout StreamRules) throws -> Void) throws {
        try change(&rules)
        wiring.follow(rules)
    }

    /// Returns the requests for volumes in the present graph.
    private mutating func volumes() -> [DesktopWiring.Step] {
        wiring.look(at: fixture.graph, now: 100).filter { if case .setLevel = $0 { true } else { false } }
    }

    private static func place(_ stream: Int, _ sink: String?) -> DesktopWiring.Step {
        .place(stream: stream, sink: sink)
    }

    @Test mutating func callsLeaveTheMainSinkAndOthersStay() {
        for stream in [Self.firefox, Self.game, Self.chat] { fixture.play(stream, to: Self.main) }
        #expect(places() == [Self.place(Self.chat, "proscenium.input.past")])
        // It is requested once.
        #expect(places() == [])
        fixture.play(Self.chat, to: Self.past)
        #expect(places() == [])
    }

    @Test mutating func aRequestThatFailedIsMadeAgain() {
        fixture.play(Self.chat, to: Self.main)
        #expect(places().count == 1)
        wiring.failed(placing: Self.chat)
        #expect(places().count == 1)
    }

    /// The session manager may leave a stream in its sink although a former session's request names another sink.
    @Test mutating func aFormerRequestThatIsNotCarriedOutIsMadeAgainOnce() {
        fixture.play(Self.chat, to: Self.main)
        fixture.request("proscenium.input.past", of: Self.chat)
        #expect(places() == [])
        #expect(wiring.isWaiting)
        #expect(places(at: 101) == [])
        #expect(places(at: 102) == [Self.place(Self.chat, nil), Self.place(Self.chat, "proscenium.input.past")])
        #expect(places(at: 110) == [])
    }

    @Test mutating func aFormerRequestForASinkThatIsGoneIsWithdrawn() {
        fixture.play(Self.firefox, to: Self.phones)
        fixture.request("proscenium.input.firefox", of: Self.firefox)
        #expect(places() == [])
        #expect(places(at: 102) == [Self.place(Self.firefox, nil)])
        #expect(places(at: 110) == [])
    }

    @Test mutating func aFormerRequestThatIsCarriedOutInTimeStays() {
        fixture.play(Self.chat, to: Self.main)
        fixture.request("proscenium.input.past", of: Self.chat)
        #expect(places() == [])
        fixture.play(Self.chat, to: Self.past)
        #expect(places(at: 101) == [])
        #expect(places(at: 110) == [])
    }

    /// The session manager may link a stream to the requested sink without removing its links to another sink.
    @Test mutating func linksThatTheSessionManagerLeftAreRemovedAndTheUsersStay() {
        fixture.addLink(700, Self.chat + 1, Self.phones + 1, by: 34)
        fixture.addLink(701, Self.chat + 2, Self.phones + 2, by: 34)
        fixture.addLink(702, Self.chat + 1, Self.past + 1, by: 34)
        fixture.addLink(703, Self.chat + 2, Self.past + 2, by: 34)
        // Links that must stay: a link without a client, a link of another client, and the link of a stream that is
        // linked to no second sink.
        fixture.addLink(704, Self.chat + 1, Self.upmix + 1)
        fixture.addLink(705, Self.chat + 2, Self.upmix + 2, by: 35)
        fixture.addLink(706, Self.game + 1, Self.phones + 1, by: 34)
        func removed(at now: Double) -> [DesktopWiring.Step] {
            wiring.look(at: fixture.graph, now: now).filter { if case .unlink = $0 { true } else { false } }
        }
        #expect(removed(at: 100) == [])
        #expect(wiring.isWaiting)
        // A stream that the user has moved meanwhile keeps its links.
        fixture.request("phones", of: Self.chat)
        #expect(removed(at: 103) == [])
        fixture.request("proscenium.input.past", of: Self.chat)
        #expect(removed(at: 104) == [])
        #expect(removed(at: 105.9) == [])
        #expect(removed(at: 106) == [.unlink(700), .unlink(701)])
        fixture.remove(700)
        fixture.remove(701)
        #expect(removed(at: 110) == [])
    }

    @Test mutating func aStreamThatIsNotLinkedYetIsPlacedWhenItIs() throws {
        try follow { try $0.set(application: "Firefox", to: .upmix) }
        #expect(places() == [])
        fixture.play(Self.firefox, to: Self.main)
        #expect(places() == [Self.place(Self.firefox, "proscenium.input.upmix")])
    }

    @Test mutating func aStreamAtAnotherSinkIsMovedByARuleForItsApplicationAlone() throws {
        fixture.play(Self.chat, to: Self.phones)
        fixture.play(Self.firefox, to: Self.phones)
        #expect(places() == [])
        try follow { try $0.set(usual: .upmix) }
        #expect(places() == [])
        try follow { try $0.set(application: "firefox", to: .upmix) }
        #expect(places() == [Self.place(Self.firefox, "proscenium.input.upmix")])
    }

    @Test mutating func aStreamThatTheUserMovesStaysUntilItsRuleChanges() throws {
        fixture.play(Self.firefox, to: Self.main)
        try follow { try $0.set(application: "Firefox", to: .upmix) }
        #expect(places().count == 1)
        fixture.play(Self.firefox, to: Self.phones)
        #expect(places() == [])
        try follow { try $0.set(role: "Game", to: .past) }
        #expect(places() == [])
        try follow { try $0.set(application: "Firefox", to: .past) }
        #expect(places() == [Self.place(Self.firefox, "proscenium.input.past")])
    }

    @Test mutating func aStreamThatTheUserPutIntoAFurtherSinkStays() throws {
        fixture.play(Self.game, to: Self.upmix)
        #expect(places() == [])
        try follow { try $0.set(usual: .past) }
        #expect(places() == [])
    }

    @Test mutating func aRuleThatIsForgottenGivesTheStreamBack() throws {
        fixture.play(Self.firefox, to: Self.main)
        try follow { try $0.set(application: "Firefox", to: .upmix) }
        _ = places()
        fixture.play(Self.firefox, to: Self.upmix)
        #expect(places() == [])
        try follow { try $0.set(application: "Firefox", to: nil) }
        #expect(places() == [Self.place(Self.firefox, nil)])
        fixture.play(Self.firefox, to: Self.phones)
        #expect(places() == [])
    }

    @Test mutating func aChangedDefaultMovesTheStreamsWithoutARule() throws {
        for stream in [Self.firefox, Self.game, Self.chat] { fixture.play(stream, to: Self.main) }
        try follow { try $0.set(role: "Game", to: .plain) }
        _ = places()
        fixture.play(Self.chat, to: Self.past)
        try follow { try $0.set(usual: .upmix) }
        #expect(places() == [Self.place(Self.firefox, "proscenium.input.upmix")])
    }

    @Test mutating func aWayWithoutASinkIsThatOfTheMainOne() throws {
        fixture.play(Self.firefox, to: Self.phones)
        try follow { try $0.set(application: "Firefox", to: .own) }
        #expect(places() == [Self.place(Self.firefox, "proscenium.7.1")])
    }

    @Test mutating func aStreamThatAFormerSessionPlacedFollowsTheRules() throws {
        fixture.take(
            #"{"id": 31, "type": "PipeWire:Interface:Metadata", "props": {"metadata.name": "default"}, "metadata": ["#
                + #"{"subject": 620, "key": "target.object", "value": "proscenium.input.past"}]}"#)
        fixture.play(Self.chat, to: Self.past)
        #expect(places() == [])
        try follow { try $0.set(role: "Communication", to: .upmix) }
        #expect(places() == [Self.place(Self.chat, "proscenium.input.upmix")])
    }

    /// PipeWire gives the id of a stream that has ended to the next one, perhaps between two looks.
    @Test mutating func anotherStreamOfTheSameIdIsPlacedAnew() {
        func call(_ serial: Int) -> String {
            #""application.name": "Voice", "media.role": "phone", "object.serial": \#(serial)"#
        }
        let steps: [DesktopWiring.Step] = [.keepChannels(stream: 630), Self.place(630, "proscenium.input.past")]
        fixture.addStream(630, call(71))
        fixture.play(630, to: Self.main)
        #expect(wiring.look(at: fixture.graph, now: 100) == steps)
        fixture.play(630, to: Self.past)
        #expect(wiring.look(at: fixture.graph, now: 100) == [])
        // The user moves it. A report of the same stream changes nothing.
        fixture.play(630, to: Self.main)
        fixture.addStream(630, call(71))
        #expect(wiring.look(at: fixture.graph, now: 100) == [])
        fixture.addStream(630, call(72))
        #expect(wiring.look(at: fixture.graph, now: 100) == steps)
        #expect(wiring.look(at: fixture.graph, now: 100) == [])
    }

    @Test mutating func theNextSessionManagerIsAskedAgain() {
        fixture.play(Self.chat, to: Self.main)
        #expect(places().count == 1)
        fixture.remove(31)
        fixture.take(fixture.metadata(chosen: nil, used: "phones"))
        #expect(wiring.look(at: fixture.graph, now: 101) == [.renewSinks])
        #expect(places().count == 1)
    }

    @Test mutating func aStreamOfAGroupCarriesOtherProgramsAndStays() throws {
        fixture.addStream(630, #""application.name": "Equaliser", "media.role": "phone", "node.link-group": "eq""#)
        fixture.play(630, to: Self.main)
        #expect(places() == [])
        try follow { try $0.set(application: "Equaliser", to: .past) }
        #expect(places() == [Self.place(630, "proscenium.input.past")])
    }

    @Test mutating func furtherSinksAreHeardByTheirInputs() {
        fixture.addSession(sinks[0])
        for (index, channel) in (sinks[1].channels + sinks[2].channels).enumerated() {
            fixture.addPort(520 + index, of: 500, channel.input, "input")
        }
        for now in [100, 100 + ManagerWatch.time] {
            for step in wiring.look(at: fixture.graph, now: now) {
                guard case .link(let output, let input) = step else { continue }
                fixture.addLink(10_000 + output, output, input)
                wiring.answered(output: output, input: input, isMade: true)
            }
        }
        // Monitor ports of the sinks of two channels are 303 and 304, 403 and 404.
        for (output, input) in [(303, 520), (304, 521), (403, 522), (404, 523)] {
            #expect(fixture.graph.hasLink(output, input))
        }
        #expect(DesktopWiring.isComplete(sinks, wiring.output, in: fixture.graph))
        fixture.remove(10_404)
        #expect(!DesktopWiring.isComplete(sinks, wiring.output, in: fixture.graph))
    }

    @Test mutating func theEarsAreNotHeardThroughAFurtherSink() {
        fixture.addSession(sinks[0])
        _ = wiring.look(at: fixture.graph, now: 100)
        fixture.addLink(7, 590, Self.past + 1)
        #expect(wiring.look(at: fixture.graph, now: 100).contains(.unlink(7)))
    }

    /// As after WirePlumber was killed.
    @Test mutating func aLooseStreamIsLinkedToTheSinkOfItsWay() {
        fixture.play(Self.chat, to: Self.past)
        _ = wiring.look(at: fixture.graph, now: 100)
        _ = wiring.look(at: fixture.graph, now: 101)
        for link in fixture.graph.links.keys { fixture.remove(link) }
        _ = wiring.look(at: fixture.graph, now: 102)
        let steps = wiring.look(at: fixture.graph, now: 103)
        #expect(steps.contains(.link(output: 621, input: 301)) && steps.contains(.link(output: 622, input: 302)))
    }

    @Test mutating func furtherSinksTakeTheVolumeOfTheMainOne() {
        let half = [Double](repeating: 0.5, count: 8)
        fixture.setLevel(Self.main, sinks[0].name, half)
        // Their volumes are not known yet.
        #expect(volumes() == [])
        fixture.setLevel(Self.past, sinks[1].name, [1, 1])
        fixture.setLevel(Self.upmix, sinks[2].name, [0.5, 0.5])
        let level = SinkLevel(channels: [0.5, 0.5])
        #expect(volumes() == [.setLevel(sink: Self.past, level)])
        #expect(volumes() == [])
        // The user's own volume stays until the main one changes.
        fixture.setLevel(Self.past, sinks[1].name, [0.1, 0.1])
        #expect(volumes() == [])
        fixture.setLevel(Self.main, sinks[0].name, [0.2, 0.3] + half.dropFirst(2), isMuted: true)
        let other = SinkLevel(channels: [0.2, 0.3], isMuted: true)
        #expect(volumes() == [.setLevel(sink: Self.past, other), .setLevel(sink: Self.upmix, other)])
        wiring.failed(levelOf: Self.past)
        #expect(volumes() == [.setLevel(sink: Self.past, other)])
    }
}
