import ArgumentParser
import Control
import Desk
import Desktop
import Foundation
import Loading
import Session

/// The service that runs the desktop's session: a unit of systemd, or a process of its own.
enum DesktopService {
    /// Seconds within which the session has to play: a set that is new to this machine is prepared first.
    private static let patience = 120.0

    /// Seconds within which a command undoes what it has begun, after a request to end.
    private static let farewell = 15.0

    /// Handles signals for a command that starts a service: the command can undo what it has started before it ends.
    static func makeInterrupt() -> Interrupt {
        let interrupt = Interrupt(patience: farewell)
        interrupt.tell {}
        return interrupt
    }

    /// The service as a process of its own.
    static var process: OwnProcess { OwnProcess(in: SessionSockets.folder) }

    /// Starts the service of a record, in the folder in which `desktop on` was typed.
    static func begin(_ record: DesktopRecord, _ tools: PipeWireTools) throws {
        let files = FileManager.default
        let place = record.place ?? files.currentDirectoryPath
        switch record.service {
        case .systemd:
            guard let unit = SystemdUnit() else { throw Failure(.environment, "systemd does not run for this user") }
            try unit.begin(
                running: [tools.path("pw-jack"), program] + DesktopRecipe.words, in: place)
        case .process:
            _ = files.changeCurrentDirectoryPath(place)
            try process.begin(running: [program, "desktop", "keep"])
        }
    }

    /// Ends the service of a record, and its session.
    static func end(_ record: DesktopRecord) async {
        switch record.service {
        case .systemd: SystemdUnit()?.end()
        case .process: process.end()
        }
        // A session whose keeper was killed continues to run.
        guard SessionSockets.running().contains(DesktopRecord.session) else { return }
        _ = try? await ControlClient.request(.quit, at: .named(DesktopRecord.session))
        for _ in 0..<300 where SessionSockets.running().contains(DesktopRecord.session) {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Whether the service of a record runs.
    static func runs(_ record: DesktopRecord) -> Bool {
        switch record.service {
        case .systemd: SystemdUnit()?.isActive ?? false
        case .process: process.running != nil
        }
    }

    /// Reason why the service of a record has ended at its start; nil if it has not. For a process, the reason is the
    /// last line of its messages, also where a systemd runs by now. For a unit, it names the command that shows the
    /// messages.
    static func failure(
        of record: DesktopRecord, unit: SystemdUnit? = SystemdUnit(), process: OwnProcess = DesktopService.process
    ) -> String? {
        switch record.service {
        case .systemd:
            return unit?.hasFailed == true ? "the service ended at once; \(whereItSays(record))" : nil
        case .process:
            guard process.running == nil, process.hasBegun else { return nil }
            let words = (try? String(contentsOfFile: process.messages, encoding: .utf8)) ?? ""
            let last = words.split(whereSeparator: \.isNewline).last.map(String.init) ?? "the session ended at once"
            return last.hasPrefix("proscenium: ") ? String(last.dropFirst(12)) : last
        }
    }

    /// Command that shows the messages of the service of a record, for the user.
    private static func whereItSays(_ record: DesktopRecord) -> String {
        switch record.service {
        case .systemd: "its messages: journalctl --user -u \(SystemdUnit.name)"
        case .process: "its messages: cat \(process.messages)"
        }
    }

    /// Waits until the sinks of a record are linked to its session, and the session's ears to the headphones.
    ///
    /// - Parameter ears: whether the ears have to be linked too; they cannot be if the headphones are disconnected.
    /// - Throws: an error if the service has ended or the session does not play in time; `ExitCode` if `interrupt` is
    ///   requested.
    static func wait(
        for record: DesktopRecord, _ tools: PipeWireTools, _ interrupt: Interrupt, ears: Bool = true
    ) async throws {
        let sinks = try record.sinks
        let end = ContinuousClock.now + .seconds(patience)
        var isSaid = false
        while ContinuousClock.now < end {
            guard !interrupt.isRequested else { throw ExitCode(130) }
            if let graph = try? tools.graph(), sinks.allSatisfy({ DesktopWiring.hasInputs($0, in: graph) }),
                !ears || DesktopWiring.hasEars(to: record.output, in: graph)
            {
                return
            }
            if let reason = failure(of: record) { throw Failure(.environment, reason) }
            if !isSaid, end - .now < .seconds(patience - 3) {
                isSaid = true
                say("the session is being prepared; a set that is new to this machine takes a while ...")
            }
            try? await Task.sleep(for: .milliseconds(300))
        }
        throw Failure(.environment, "the session did not play within \(Int(patience)) s; \(whereItSays(record))")
    }

    /// Writes changed rules and brings them into force. A session that plays reads them itself. If they need other
    /// inputs, the session is restarted.
    ///
    /// - Parameters:
    ///   - former: the rules before the change, restored if the restart fails.
    ///   - folder: folder of the program's state.
    static func follow(_ rules: StreamRules, after former: StreamRules, in folder: String) async throws {
        try rules.write(in: folder)
        guard let record = try DesktopRecord.saved(in: folder, tell: { say($0) }) else { return }
        let recipe = try DesktopRecipe(typed: record.typed, layout: record.layout, rules)
        guard recipe.inputs != record.inputs else { return }
        var renewed = record
        renewed.inputs = recipe.inputs
        say("the session is restarted with other inputs ...")
        let tools = try PipeWireTools.here
        let interrupt = makeInterrupt()
        let hadEars = (try? tools.graph()).map { DesktopWiring.hasEars(to: record.output, in: $0) } ?? false
        do {
            await end(record)
            try renewed.write(in: folder)
            try begin(renewed, tools)
            try await wait(for: renewed, tools, interrupt, ears: hadEars)
        } catch {
            await end(renewed)
            try former.write(in: folder)
            try record.write(in: folder)
            try begin(record, tools)
            say("the rules are unchanged, and the former setup is restored")
            throw error
        }
    }

    /// Path of this program.
    static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }
}
