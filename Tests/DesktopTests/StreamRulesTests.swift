import Loading
import Testing

@testable import Desktop

@Suite struct StreamRulesTests {
    private func stream(
        _ application: String = "", binary: String = "", name: String = "", role: String = "", channels: Int? = 2
    ) -> PipeWireGraph.Node {
        var node = PipeWireGraph.Node()
        (node.application, node.binary, node.name, node.role) = (application, binary, name, role)
        node.channels = channels
        return node
    }

    private func refusal(_ change: (inout StreamRules) throws -> Void) -> String {
        var rules = StreamRules()
        do {
            try change(&rules)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test func withoutRulesOnlyNotificationsAndCallsGoPastTheStage() {
        let rules = StreamRules()
        let usual = rules.decision(for: stream("Firefox", role: "Music"))
        #expect(usual.way == nil && usual.input == "main" && usual.reason == .noRule)
        for role in ["Notification", "event", "Communication", "phone"] {
            let decision = rules.decision(for: stream("Any", role: role))
            #expect(decision.way == .past && decision.input == "past" && decision.reason == .kind(role))
        }
        #expect(rules.decision(for: stream("WEBRTC VoiceEngine")).reason == .call)
        #expect(rules.decision(for: stream("Voice", binary: "mumble")).way == .past)
        #expect(rules.decision(for: stream("Mumble jumble")).way == nil)
    }

    /// The user's rule for the application, that for the role, what is known of programs and roles, the default.
    @Test func theNearestRuleDecides() throws {
        var rules = StreamRules()
        let call = stream("Mumble", role: "Communication")
        #expect(rules.decision(for: call).reason == .call)
        try rules.set(usual: .upmix)
        #expect(rules.decision(for: call).reason == .call)
        #expect(rules.decision(for: stream("mpv")) == StreamDecision(way: .upmix, input: "upmix", reason: .usual))
        try rules.set(role: "communication", to: .plain)
        #expect(rules.decision(for: call).reason == .role("communication"))
        try rules.set(application: "mumble", to: .upmix)
        #expect(rules.decision(for: call).reason == .application("mumble"))
        try rules.set(application: "MUMBLE", to: nil)
        try rules.set(role: "Communication", to: nil)
        #expect(rules.decision(for: call).way == .past)
        try rules.set(usual: nil)
        #expect(rules.isEmpty)
    }

    @Test func anApplicationIsKnownByItsNameThenItsFileThenItsNode() throws {
        var rules = StreamRules()
        try rules.set(application: "firefox-bin", to: .past)
        #expect(rules.decision(for: stream("Firefox", binary: "firefox-bin")).way == .past)
        try rules.set(application: "Firefox", to: .upmix)
        #expect(rules.decision(for: stream("Firefox", binary: "firefox-bin")).way == .upmix)
        #expect(rules.decision(for: stream("", binary: "", name: "firefox")).way == .upmix)
        #expect(rules.decision(for: stream("Firefox ESR", binary: "esr", name: "x")).way == nil)
    }

    /// Names are shown without formatting characters, and at most 80 characters of them.
    @Test(arguments: ["Fire\u{200E}fox", "Zero\u{200B}Width", String(repeating: "Symphony", count: 12)])
    func anApplicationIsKnownByTheNameThatIsShown(name: String) throws {
        var fixture = GraphFixture()
        fixture.addStream(500, #""application.name": "\#(name)""#)
        let shown = try #require(ListedStream.all(in: fixture.graph, by: StreamRules()).first?.application)
        #expect(shown != name)
        for typed in [shown, shown.uppercased(), name] {
            var rules = StreamRules()
            try rules.set(application: typed, to: .past)
            #expect(rules.decision(for: stream(name)).reason == .application(typed))
            #expect(rules.decision(for: stream("Another", binary: name)).way == .past)
            #expect(rules.decision(for: stream("Another")).way == nil)
        }
    }

    @Test func onlyMonoAndStereoAreUpmixed() throws {
        var rules = StreamRules()
        try rules.set(application: "mpv", to: .upmix)
        for channels in [1, 2, nil] { #expect(rules.decision(for: stream("mpv", channels: channels)).way == .upmix) }
        for channels in [3, 6, 8] {
            let decision = rules.decision(for: stream("mpv", channels: channels))
            #expect(decision.way == .plain && decision.input == "plain")
        }
        try rules.set(application: "mpv", to: .past)
        #expect(rules.decision(for: stream("mpv", channels: 6)).way == .past)
    }

    @Test func theSessionHasTheInputsThatTheRulesNeed() throws {
        var rules = StreamRules()
        let past = "past=stereo,role=direct,level=3"
        #expect(rules.inputs(isMainUpmixed: false) == [past] && rules.inputs(isMainUpmixed: true) == [past])
        try rules.set(role: "Music", to: .upmix)
        #expect(rules.inputs(isMainUpmixed: false) == [past, "upmix=stereo,upmix=identity"])
        #expect(rules.inputs(isMainUpmixed: true) == [past])
        try rules.set(usual: .plain)
        #expect(rules.inputs(isMainUpmixed: true) == [past, "plain=stereo"])
        try rules.set(application: "ZOOM VoiceEngine", to: .own, place: -60, level: -3.5)
        try rules.set(application: "Zoom!", to: .own)
        #expect(
            rules.inputs(isMainUpmixed: true).suffix(2) == ["zoomvoiceeng=stereo,place=-60,level=-3.5", "zoom=stereo"])
        #expect(rules.decision(for: stream("zoom voiceengine")).input == "zoomvoiceeng")
    }

    @Test func ownInputsHaveNamesOfTheirOwnAndKeepThem() throws {
        var rules = StreamRules()
        for name in ["Main", "past", "日本", "a.b", "AB"] { try rules.set(application: name, to: .own) }
        #expect(rules.applications.map(\.input) == ["app", "app2", "app3", "ab", "ab2"])
        let sixth = #expect(throws: SessionError.self) { try rules.set(application: "six", to: .own) }
        #expect(sixth?.description.contains("at most 5 programs") == true)
        try rules.set(application: "A.B", to: .own, place: 10)
        #expect(rules.applications[3] == .init(name: "A.B", way: .own, input: "ab", place: 10))
        try rules.set(application: "a.b", to: .upmix)
        #expect(rules.applications[3].input == nil && rules.applications.count == 5)
    }

    @Test func unusableRulesAreRefusedWithTheReason() {
        #expect(refusal { try $0.set(usual: .own) }.contains("a single application"))
        #expect(refusal { try $0.set(role: "Music", to: .own) }.contains("a single application"))
        for name in ["", " ", "a\nb", "\u{1B}[2J", "\u{9B}2J", String(repeating: "a", count: 201)] {
            #expect(refusal { try $0.set(application: name, to: .past) }.contains("one line of at most 200 bytes"))
        }
        let places: [Double] = [361, -360.5, .nan, .infinity]
        for place in places {
            let words = refusal { try $0.set(application: "a", to: .own, place: place) }
            #expect(words.contains("-360 to 360 degrees"))
        }
        let levels: [Double] = [-121, 40.5, .nan]
        for level in levels {
            let words = refusal { try $0.set(application: "a", to: .own, level: level) }
            #expect(words.contains("-120 to 40 dB"))
        }
        #expect(refusal { try $0.set(application: "a", to: .upmix, place: 0) }.contains("the way own"))
        let unknown = refusal { rules in
            try rules.set(application: "Firefox", to: .past)
            try rules.set(application: "Firefo", to: nil)
        }
        #expect(unknown == "there is no rule for 'Firefo'; the nearest is 'Firefox'")
    }

    @Test func thereAreManyRulesNotAnyNumber() throws {
        var rules = StreamRules()
        for number in 0..<StreamRules.most { try rules.set(application: "a\(number)", to: .past) }
        #expect(throws: SessionError.self) { try rules.set(application: "b", to: .past) }
        try rules.set(application: "a7", to: .upmix)
        #expect(rules.applications.count == StreamRules.most)
    }

    @Test func streamsAreListedWithTheirWayAndItsReason() throws {
        var fixture = GraphFixture()
        fixture.addSink(200, "proscenium.7.1", "Proscenium 7.1")
        fixture.addSink(300, "proscenium.input.upmix", "Proscenium upmix")
        fixture.addSink(400, "phones", "Phones")
        fixture.addStream(500, #""application.name": "Fire\u001bfox", "media.role": "Music""#)
        fixture.addStream(510, #""node.name": "chat", "media.role": "phone""#, channels: 1)
        fixture.addStream(520, #""media.role": "DSP", "node.name": "jack client""#)
        fixture.addStream(530, #""application.name": "mpv""#)
        fixture.play(500, to: 300)
        fixture.play(510, to: 400)
        fixture.play(530, to: 200)
        var rules = StreamRules()
        try rules.set(role: "Music", to: .upmix)
        let all = ListedStream.all(in: fixture.graph, by: rules)
        #expect(all.map(\.number) == [500, 510, 530])
        #expect(all.map(\.application) == ["Fire fox", "chat", "mpv"])
        #expect(all.map(\.way) == ["upmix", "past", nil] && all.map(\.channels) == [2, 1, 2])
        #expect(all.map(\.reason) == ["your rule for the role Music", "the role phone", "the default"])
        #expect(all.map(\.present) == ["upmix", nil, "main"])
    }
}
