import ArgumentParser
import Glibc
import Loading
import Session

extension SOFACommand {
    /// `sofa read`: child process that reads a file for a session, so that a faulty file cannot end the session.
    struct Read: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads a file for a session, and reports to it in lines of JSON.",
            discussion: "Example: started by a session for --hrtf kemar", shouldDisplay: false)

        @Argument(help: "What is to be read, as JSON.") var request: String

        func validate() throws {
            guard fcntl(ReadingChild.passed, F_GETFD) >= 0 else {
                throw ValidationError(
                    "A session starts this, with memory to fill as descriptor \(ReadingChild.passed).")
            }
        }

        func run() throws { try ReadingChild.run(request) }
    }
}
