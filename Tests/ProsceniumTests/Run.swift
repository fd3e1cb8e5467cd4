import Foundation
import SoundFixtures

/// The program as a user runs it.
struct Run {
    let status: Int32
    let output: String
    let complaints: [Substring]

    init(_ arguments: String...) throws { try self.init(arguments) }

    /// The program, built beside the test runner.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("proscenium")

    /// `folder`: where it is run; nil: where the tests are.
    init(_ arguments: [String], environment: [String: String] = [:], in folder: Scratch? = nil) throws {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder.path) }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (out, errors) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = errors
        try process.run()
        output = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        complaints = words.split(separator: "\n")
        process.waitUntilExit()
        status = process.terminationStatus
    }
}
