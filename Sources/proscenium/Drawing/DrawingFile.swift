import Foundation
import Loading
import Session
import Takes

/// Writes drawings to files.
enum DrawingFile {
    /// The program that converts SVG to PNG, and its Debian package.
    private static let (converter, package) = ("rsvg-convert", "librsvg2-bin")

    /// Writes a drawing as SVG. The file appears when it is complete; it replaces another file only if `replacement`
    /// permits this.
    static func write(_ drawing: SVGDrawing, svg path: String, replacing replacement: Replacement) throws {
        try write(text: drawing.text, svg: path, replacing: replacement)
    }

    /// Writes the text of an SVG drawing, under the same conditions.
    static func write(text: String, svg path: String, replacing replacement: Replacement) throws {
        try write(Data(text.utf8), to: path, replacement)
    }

    private static func write(_ content: Data, to path: String, _ replacement: Replacement) throws {
        do throws(TakeError) {
            try UnnamedFile.write(content, to: path, replaces: replacement.covers(path))
        } catch {
            throw SessionError(error)
        }
    }

    /// Writes a drawing as PNG with two pixels per unit of the drawing, by librsvg's `rsvg-convert`; the program has no
    /// rasteriser of its own. Throws if the converter is not installed or fails.
    ///
    /// The converter gets no path: it reads from one open file and writes to another. So no path is taken for an
    /// option, and a converter that exits early breaks no pipe.
    static func write(_ drawing: SVGDrawing, png path: String, replacing replacement: Replacement) throws {
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
        try write(try picture(of: drawing, by: program, for: path), to: path, replacement)
    }

    /// Returns the converter's PNG of a drawing.
    private static func picture(of drawing: SVGDrawing, by program: String, for path: String) throws -> Data {
        let (input, output, complaints) = (try ScratchFile(), try ScratchFile(), try ScratchFile())
        try input.write(Data(drawing.text.utf8))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--format", "png", "--zoom", "2"]
        process.standardInput = input.handle
        process.standardOutput = output.handle
        process.standardError = complaints.handle
        do {
            try process.run()
        } catch {
            throw Failure(.environment, "\(program) cannot be started: \(error.localizedDescription)")
        }
        process.waitUntilExit()
        let picture = try output.read()
        let end =
            process.terminationReason == .uncaughtSignal
            ? "it was ended by signal \(process.terminationStatus)" : "status \(process.terminationStatus)"
        guard process.terminationReason == .exit, process.terminationStatus == 0, !picture.isEmpty else {
            let words = String(decoding: try complaints.read(), as: UTF8.self)
            let reason =
                words.split(separator: "\n").first.map(String.init) ?? (picture.isEmpty ? "\(end), no picture" : end)
            throw Failure(.environment, "\(path) cannot be written: \(converter) says: \(reason)")
        }
        return picture
    }
}
