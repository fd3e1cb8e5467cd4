import Control
import Desk
import Desktop
import Foundation
import Loading
import Session

/// The service that runs the desktop's session: a unit of systemd, or a process of its own.
enum DesktopService {
    /// The process that runs the session if no systemd runs for the user.
    static var process: OwnProcess { OwnProcess(in: SessionSockets.folder) }

    /// Starts the service of a record, in the folder in which `desktop on` was typed.
    static func begin(_ record: DesktopRecord, _ tools: PipeWireTools) throws {
        let files = FileManager.default
        let place = record.place ?? files.currentDirectoryPath
        switch record.service {
        case .systemd:
            guard let unit = SystemdUnit() else { throw Failure(.environment, "systemd does not run for this user") }
            try unit.begin(
                running: [tools.path("pw-jack"), program] + record.words, in: place)
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
        // A session whose keeper was killed runs on.
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

    /// Reason why the service has ended at its start; nil if it has not. For a process, the reason is the last line of
    /// its messages. For a unit, it says where the messages are.
    static var failure: String? {
        if let unit = SystemdUnit() { return unit.hasFailed ? "the service ended at once; \(whereItSays)" : nil }
        guard process.running == nil, process.hasBegun else { return nil }
        let words = (try? String(contentsOfFile: process.messages, encoding: .utf8)) ?? ""
        let last = words.split(whereSeparator: \.isNewline).last.map(String.init) ?? "the session ended at once"
        return last.hasPrefix("proscenium: ") ? String(last.dropFirst(12)) : last
    }

    /// Command that shows the service's messages, for the user.
    static var whereItSays: String {
        SystemdUnit() == nil
            ? "its messages: cat \(process.messages)" : "its messages: journalctl --user -u \(SystemdUnit.name)"
    }

    /// Path of this program.
    static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }
}
