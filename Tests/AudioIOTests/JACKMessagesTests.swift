import Signal
import Testing

@testable import AudioIO

struct JACKMessagesTests {
    @Test func whatJACKSaysOfItsOwnTidyingUpIsNoReason() {
        // Messages of jackd 1.9.21 without a server.
        let said = [
            "Cannot connect to server socket err = No such file or directory",
            "Cannot connect to server request channel",
            "jack server is not running or cannot be started",
            "JackShmReadWritePtr::~JackShmReadWritePtr - Init not done for -1, skipping unlock",
        ]
        #expect(JACKMessages.telling(said) == Array(said.dropLast()))
        #expect(JACKMessages.telling(["two\nlines", ""]) == ["two", "lines"])
        #expect(JACKMessages.telling([]).isEmpty)
    }

    @Test func `A missing thread is not a refusal by the server`() throws {
        // No system grants a stack of 2^50 bytes.
        let greedy = Worker(name: "jack watch", stackBytes: 1 << 50)
        let missing = try #require(throws: WorkerError.self) { try greedy.start { _ in Issue.record("it runs") } }
        let text = JACKError.noThread(missing).description
        #expect(text == missing.description && !text.contains("server"))
    }

    @Test func `Ports that are separated by spaces are answered with commas`() {
        func told(_ pattern: String) -> String {
            JACKError.noSuchPort(pattern: pattern, takesSound: true, available: ["system:playback_1"]).description
        }
        #expect(told("a b").hasSuffix("; ports of a list are separated by commas: 'a,b'"))
        #expect(told("a").hasSuffix("system:playback_1") && told("a b,c").hasSuffix("system:playback_1"))
    }
}
