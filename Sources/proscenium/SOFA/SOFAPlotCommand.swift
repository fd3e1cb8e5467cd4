import ArgumentParser
import Foundation
import HRTF
import SOFA

extension SOFACommand {
    /// `sofa plot`: draws the responses of a file.
    struct Plot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Draws the content of a SOFA file, as stored.",
            discussion: """
                Of a head, in the horizontal plane: level over azimuth and frequency and energy over azimuth and time for each \
                ear, and the interaural time difference over azimuth. Of a headphone: level over frequency of every refit. Of a \
                room: level, energy over time and decay of its first loudspeaker, with the head nearest to the front.

                PNG needs rsvg-convert (Debian: librsvg2-bin); SVG needs no other program.

                Example:
                  proscenium sofa plot subject_003.sofa --svg subject_003.svg
                """)

        @Argument(help: "A SOFA file.", completion: .file(extensions: ["sofa"])) var file: String
        @Option(help: ArgumentHelp("Draw into this SVG file.", valueName: "file"), completion: .file())
        var svg: String?
        @Option(
            help: ArgumentHelp("Draw into this PNG file, with rsvg-convert.", valueName: "file"), completion: .file())
        var png: String?
        @OptionGroup var former: OverwriteOption

        func validate() throws {
            guard svg != nil || png != nil else {
                throw ValidationError("name a file to draw into: --svg FILE or --png FILE")
            }
        }

        func run() async throws {
            let replacement = try former.settle([svg, png], keeping: [file])
            let file = file
            let drawing = try await interruptible { interrupt in
                let progress = Progress("sofa plot")
                defer { progress.finish() }
                do {
                    return try Plot.drawing(of: file, progress.until(interrupt))
                } catch let error as SOFAError {
                    throw Failure(.input, error.description)
                }
            }
            if let svg { try DrawingFile.write(drawing, svg: svg, replacing: replacement) }
            if let png { try DrawingFile.write(drawing, png: png, replacing: replacement) }
        }

        private static func drawing(of path: String, _ progress: @escaping ReadingProgress) throws -> SVGDrawing {
            switch try SOFAContent(path: path, progress: progress) {
            case .freeField(let set):
                let size = "\(set.sampleCount) samples at \(String(format: "%.6g", set.sampleRate)) Hz"
                let title = title(path, set.attribute("DatabaseName"), set.attribute("ListenerShortName"))
                guard let plane = HorizontalPlane(set) else {
                    throw Failure(
                        .input,
                        "\(path): has fewer than three directions within 15° of the horizontal plane, which is what is drawn; "
                            + "'proscenium sofa info --svg' draws its directions")
                }
                return SOFAPlot(plane).drawing(title: title, detail: size)
            case .headphones(let set):
                let pairs = (0..<set.refitCount).map { (set.response($0, ear: 0), set.response($0, ear: 1)) }
                return ResponsePlot(
                    pairs: pairs, delays: Array(set.delays.prefix(2)), sampleRate: set.sampleRate, isRoom: false
                ).drawing(title: title(path, set.name, nil), detail: "headphone, \(set.refitCount) refits")
            case .room(let room):
                let nearest = room.measurements.indices.min {
                    abs(room.measurements[$0].yaw) < abs(room.measurements[$1].yaw)
                }
                let measurement = nearest ?? 0
                let pair = try room.responses(measurement: measurement, emitter: 0, frames: room.sampleCount)
                let yaw = String(format: "%.4g", room.measurements[measurement].yaw * 180 / .pi)
                return ResponsePlot(
                    pairs: [(pair.left[...], pair.right[...])],
                    delays: (0..<2).map { room.delay(measurement: measurement, receiver: $0, emitter: 0) },
                    sampleRate: room.sampleRate, isRoom: true
                ).drawing(
                    title: title(path, room.attribute("Title") ?? room.attribute("RoomShortName"), nil),
                    detail: "loudspeaker 1 of \(room.emitterCount), measurement \(measurement + 1) of "
                        + "\(room.measurements.count), head yaw \(yaw)°")
            }
        }

        private static func title(_ path: String, _ database: String?, _ listener: String?) -> String {
            let words = [database, listener].compactMap { $0 }.joined(separator: ", ")
            let name = URL(fileURLWithPath: path).lastPathComponent
            return String((words.isEmpty ? name : "\(words): \(name)").prefix(100))
        }
    }
}
