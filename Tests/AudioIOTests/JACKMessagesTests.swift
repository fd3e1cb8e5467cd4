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
}
