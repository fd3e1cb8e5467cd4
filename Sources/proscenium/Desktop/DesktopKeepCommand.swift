import ArgumentParser
import Desktop
import Foundation

/// `proscenium desktop keep`: runs the desktop's session if no systemd runs for the user, and runs it again after a
/// crash, until the user logs out.
struct DesktopKeepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Runs the session of 'desktop on' on a machine without systemd.",
        discussion: "Example: proscenium desktop keep", shouldDisplay: false)

    func run() async throws {
        guard try DesktopRecord.saved() != nil else {
            throw Failure(
                .usage, "no sink is set up; 'proscenium desktop on' does that, and starts this command itself")
        }
        let tools = try PipeWireTools.here
        guard let lock = try DesktopService.process.claim() else {
            throw Failure(.environment, "another process runs the session of 'desktop on' already")
        }
        defer { close(lock) }
        let interrupt = Interrupt(patience: nil)
        while !interrupt.isRequested, DesktopService.process.isMarked(by: lock) {
            let status = try await play(tools, interrupt, lock)
            // Success, wrong files, wrong usage and the user's request are not followed by another attempt.
            guard ![0, 1, 2, 130].contains(status) else { return }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Runs the session to its end; returns its exit status.
    private func play(_ tools: PipeWireTools, _ interrupt: Interrupt, _ lock: Int32) async throws -> Int32 {
        let session = Process()
        session.executableURL = URL(fileURLWithPath: tools.path("pw-jack"))
        session.arguments = [DesktopService.program] + DesktopRecipe.words
        let (ends, ended) = AsyncStream<Int32>.makeStream()
        session.terminationHandler = {
            ended.yield($0.terminationReason == .exit ? $0.terminationStatus : -1)
            ended.finish()
        }
        try session.run()
        let process = session.processIdentifier
        DesktopService.process.note(session: process, in: lock)
        interrupt.tell { kill(process, SIGTERM) }
        let logout = Task {
            while (try? await Task.sleep(for: .seconds(5))) != nil {
                guard !DesktopService.process.isMarked(by: lock) else { continue }
                kill(process, SIGTERM)
                return
            }
        }
        defer { logout.cancel() }
        for await status in ends { return status }
        return -1
    }
}
