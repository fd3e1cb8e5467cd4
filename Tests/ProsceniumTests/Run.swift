import Foundation

/// The program as a user runs it.
struct Run {
    let status: Int32
    let output: String
    let complaints: [Substring]

    init(_ arguments: String...) throws { try self.init(arguments) }

    init(_ arguments: [String]) throws {
        // The program is built beside the test runner.
        let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let process = Process()
        process.executableURL = products.appendingPathComponent("proscenium")
        process.arguments = arguments
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
