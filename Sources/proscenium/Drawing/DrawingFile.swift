import Foundation
import Takes

/// Drawings as files.
enum DrawingFile {
    /// The program that turns drawings into pictures, and where Debian has it.
    private static let (converter, package) = ("rsvg-convert", "librsvg2-bin")

    /// Writes a drawing as SVG; the file appears when it is complete.
    static func write(_ drawing: SVGDrawing, svg path: String) throws {
        do {
            try drawing.text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw Failure(.environment, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Writes a drawing as PNG of twice its size in pixels, with librsvg's `rsvg-convert`. The program draws no pixels of its
    /// own: where that is not installed, this fails and says so.
    static func write(_ drawing: SVGDrawing, png path: String) throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        guard
            let program = folders.map({ "\($0)/\(converter)" }).first(where: {
                FileManager.default.isExecutableFile(atPath: $0)
            })
        else {
            throw Failure(
                .environment,
                "--png needs \(converter), which is not installed (Debian: apt install \(package)); --svg needs nothing"
            )
        }
        let partial = "\(path).\(getpid()).partial"
        let unfinished = Unfinished.add { unlink(partial) }
        defer {
            Unfinished.forget(unfinished)
            unlink(partial)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--format", "png", "--zoom", "2", "--output", partial]
        let (input, complaints) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardError = complaints
        do {
            try process.run()
        } catch {
            throw Failure(.environment, "\(program) cannot be started: \(error.localizedDescription)")
        }
        // It reads the drawing as a whole before it complains of anything.
        try? input.fileHandleForWriting.write(contentsOf: Data(drawing.text.utf8))
        try? input.fileHandleForWriting.close()
        let words = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let reason = words.split(separator: "\n").first.map(String.init) ?? "status \(process.terminationStatus)"
            throw Failure(.environment, "\(path) cannot be written: \(converter) says: \(reason)")
        }
        guard rename(partial, path) == 0 else {
            throw Failure(.environment, "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
