import Foundation

/// Compiler of the planted plugins.
struct Compiler {
    /// Error for something that this machine lacks; the text tells how to install it.
    struct Missing: Error, CustomStringConvertible { let description: String }

    private let path: String

    /// Finds the first C compiler on the search path: that of the Swift toolchain, else that of the system.
    init() throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let found = ["clang", "cc", "gcc"].lazy.flatMap { name in folders.lazy.map { $0 + "/" + name } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else {
            throw Missing(description: "no C compiler (clang, cc, gcc) on the search path; Swift's toolchain has one")
        }
        path = found
    }

    /// Compiles one source to a shared library, with macros of the names and values given.
    func compile(_ source: String, to library: String, defining macros: [String: String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments =
            ["-std=c11", "-shared", "-fPIC", "-fvisibility=hidden", "-O2", "-Wall", "-Wextra", "-Werror"]
            + macros.map { "-D\($0)=\($1)" } + ["-o", library, source, "-lm"]
        let words = Pipe()
        process.standardError = words
        try process.run()
        let said = String(decoding: words.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let isHeader = said.contains("lv2/core/lv2.h")
            throw Missing(
                description: isHeader
                    ? "the headers of LV2 are not here: install lv2-dev ('make setup' does)"
                    : "\(path) cannot compile \(source): \(said)")
        }
    }
}
