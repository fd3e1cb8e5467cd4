import Foundation
import SoundFixtures

/// The program as a user runs it.
struct Run {
    let status: Int32
    let output: String
    let complaints: [Substring]

    init(_ arguments: String...) throws { try self.init(arguments) }

    /// Folder of the test runner, and of the other products of its build.
    static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// The program: that of `PROSCENIUM_PROGRAM`, otherwise the one built beside the test runner. `make test` names the
    /// release build, which reads its command line in a tenth of the time.
    static let program =
        ProcessInfo.processInfo.environment["PROSCENIUM_PROGRAM"].map { URL(fileURLWithPath: $0) }
        ?? products.appendingPathComponent("proscenium")

    /// - Parameters:
    ///   - folder: its working folder; nil: that of the tests.
    ///   - keyboard: its standard input; nil: none.
    ///   - program: the executable, if not the product.
    init(
        _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil,
        keyboard: FileHandle? = nil, program: URL = Self.program
    ) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = keyboard ?? FileHandle.nullDevice
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
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
