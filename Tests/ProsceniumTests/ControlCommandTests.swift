import Control
import Desk
import Foundation
import HeadTracking
import Session
import Stages
import Synchronization
import Testing

/// Lines of `ctl`, from the shell to the session.
@Suite(.timeLimit(.minutes(10))) struct ControlCommandTests {
    /// Returns each line with the command it stands for.
    private static func lines() throws -> [(words: [String], command: SessionCommand)] {
        let level = try #require(Parameter.named("level"))
        let place = try #require(Parameter.named("place"))
        let mute = try #require(Parameter.named("loudspeaker-mute"))
        return [
            (["level", "-6"], .set(ParameterChange(level, .numbers([-6])))),
            (["place", "-30"], .set(ParameterChange(place, .numbers([-30, 0, 0])))),
            (
                ["place", "--input", "talk", "-30", "10"],
                .set(ParameterChange(place, .numbers([-30, 10, 0]), input: "talk"))
            ),
            (
                ["loudspeaker", "FL", "mute", "on"],
                .set(ParameterChange(mute, .word("on"), input: "FL"))
            ),
            (["loudspeaker-mute", "toggle"], .set(ParameterChange(mute, .word("toggle")))),
            (["recentre", "full"], .recentre(.full)),
            (["room", "toggle"], .set(ParameterChange(.room, .word("toggle")))),
        ]
    }

    /// Runs the program without blocking the tasks of this process, which answer it.
    private func run(_ words: [String]) async throws -> Run {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Run, any Error>) in
            Thread.detachNewThread { done.resume(with: Result { try Run(words) }) }
        }
    }

    @Test func aLineIsTheCommandThatItSays() async throws {
        let heard = Mutex<[SessionCommand]>([])
        let queue = CommandQueue()
        queue.serve { command in
            heard.withLock { $0.append(command) }
            return .done
        }
        let server = try ControlServer(at: ControlAddress(port: 0), desk: SessionDesk(commands: queue))
        let port = ["--port", "\(server.address.port)"]
        for (words, command) in try Self.lines() {
            var answer = try await run(["ctl"] + words + port)
            // Other tests of this process may delay its tasks beyond the timeout of 'ctl'.
            for _ in 0..<20 where answer.status == 3 { answer = try await run(["ctl"] + words + port) }
            #expect(answer.status == 0 && answer.complaints.isEmpty, "\(words): \(answer.complaints)")
            #expect(heard.withLock { $0.last } == command, "\(words)")
        }
        await server.stop()
    }
}
