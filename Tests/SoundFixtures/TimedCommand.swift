import Foundation
import Glibc

/// A command with a time limit. Its end alone is awaited, not that of processes it leaves running.
package enum TimedCommand {
    /// Runs a command for `seconds` at most. Returns its exit status (124 after a timeout) and its lines, those of
    /// standard error included.
    package static func run(
        _ words: [String], seconds: Int, environment: [String: String]
    ) throws -> (status: Int32, lines: [String]) {
        let scratch = try Scratch()
        // The output goes to a file, not a pipe, and `waitid` awaits the process: processes left running hold open
        // pipes and Foundation's sockets.
        let log = scratch("log")
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        guard let handle = FileHandle(forWritingAtPath: log) else { throw CocoaError(.fileWriteUnknown) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["-k", "2", "\(seconds)"] + words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        var end = siginfo_t()
        while waitid(P_PID, id_t(process.processIdentifier), &end, WEXITED | WNOWAIT) != 0 {
            // Foundation reaped the process first and has its status.
            guard errno == EINTR else {
                process.waitUntilExit()
                return (process.terminationStatus, try lines(of: log))
            }
        }
        return (end._sifields._sigchld.si_status, try lines(of: log))
    }

    private static func lines(of log: String) throws -> [String] {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}
