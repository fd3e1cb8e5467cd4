import Desk
import Loading
import Stages
import Testing

@Suite struct InterruptionsTests {
    @Test func anInterruptionDucksAllButItsOwnInput() {
        var stage = Interruptions()
        #expect(stage.gain(ofInput: "main") == 1)
        let began = stage.begin("talk", .duck(-20), at: 0)
        #expect(began)
        #expect(abs(stage.gain(ofInput: "main") - 0.1) < 1e-6 && stage.gain(ofInput: "talk") == 1)
        let ended = stage.end("talk", resumes: true)
        #expect(ended && stage == Interruptions())
    }

    @Test func theDeepestCountsAndTheNewestIsHeard() {
        var stage = Interruptions()
        _ = stage.begin("talk", .duck(-20), at: 0)
        _ = stage.begin("alarm", .pause, at: 1)
        #expect(stage.gain(ofInput: "main") == 0 && stage.isPausing)
        #expect(stage.gain(ofInput: "talk") == 0 && stage.gain(ofInput: "alarm") == 1)
        let outer = stage.end("talk", resumes: true)
        #expect(outer && stage.gain(ofInput: "main") == 0)
        let inner = stage.end("alarm", resumes: true)
        #expect(inner && stage.gain(ofInput: "main") == 1)
    }

    @Test func withoutResumeItStaysUntilTheUserGoesOn() {
        var stage = Interruptions()
        _ = stage.begin("call", .pause, lease: 1, followsClient: true, at: 0)
        let ended = stage.end("call", resumes: false)
        #expect(ended && stage.gain(ofInput: "main") == 0)
        #expect(stage.expire(at: 100) { _ in false } == [])
        let again = stage.end("call", resumes: true)
        #expect(!again)
        #expect(stage.resume() == ["call"] && stage.gain(ofInput: "main") == 1)
    }

    @Test func aLeaseThatRanOutAndAClientThatWentEndWithAResume() {
        var stage = Interruptions()
        _ = stage.begin("lease", .pause, lease: 2, at: 10)
        _ = stage.begin("client", .duck(-6), followsClient: true, at: 10)
        #expect(stage.expire(at: 11.9) { _ in true } == [])
        _ = stage.begin("lease", .pause, lease: 2, at: 11.9)
        #expect(stage.expire(at: 12.5) { _ in true } == [])
        #expect(stage.expire(at: 14) { _ in true } == ["lease"])
        #expect(stage.expire(at: 14) { $0 != "client" } == ["client"])
        #expect(stage.all.isEmpty)
    }

    @Test func thereIsAnEndToAsking() {
        var stage = Interruptions()
        for i in 0..<Interruptions.most {
            let began = stage.begin("\(i)", .pause, at: 0)
            #expect(began)
        }
        let oneMore = stage.begin("one more", .pause, at: 0)
        let same = stage.begin("3", .duck(-1), at: 0)
        #expect(!oneMore && same)
    }

    @Test func inputsThatInterruptAreReadAsWritten() throws {
        let talk = try InputSettings(parsing: "talk=mono,interrupts=duck:-12")
        #expect(talk.interrupts == .duck(-12))
        #expect(try InputSettings(parsing: "alarm=mono,interrupts=pause").interrupts == .pause)
        for words in ["duck", "duck:3", "duck:-121", "stop", "duck:-1:2", ""] {
            #expect(throws: SessionError.self) { try InputSettings(parsing: "talk=mono,interrupts=\(words)") }
        }
    }
}
