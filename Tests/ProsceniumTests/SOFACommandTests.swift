import AbsentPlaces
import Foundation
import Geometry
import SOFA
import SoundFixtures
import Testing

/// `sofa convert`, `plot` and `info`, through the program.
@Suite("SOFA files, written anew and drawn") struct SOFACommandTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let generated = root.appendingPathComponent("HRTF/generated.sofa").path
    private static let environment = ["HDF5_USE_FILE_LOCKING": "FALSE"]
    /// Whether drawings can become pictures here.
    private static let hasConverter = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/rsvg-convert") }

    private func run(_ arguments: String...) throws -> Run { try Run(arguments, environment: Self.environment) }

    @Test(
        "convert writes what reads the same, refuses to replace a file, and replaces it with --overwrite, which was --force"
    ) func convert()
        throws
    {
        let scratch = try Scratch()
        let first = try run("sofa", "convert", Self.generated, scratch("new.sofa"))
        #expect(first.status == 0 && first.output.contains("SimpleFreeFieldHRIR, "), "\(first.complaints)")
        let (before, after) = (
            try FreeFieldHRIR(contentsOf: Self.generated), try FreeFieldHRIR(contentsOf: scratch("new.sofa"))
        )
        #expect(before.responses == after.responses && before.directions == after.directions)
        #expect(after.attribute("License") == before.attribute("License"))
        #expect(after.attribute("History")?.contains("by Proscenium") == true)
        let again = try run("sofa", "convert", Self.generated, scratch("new.sofa"))
        #expect(again.status == 2 && again.complaints.first?.contains("--overwrite") == true, "\(again.complaints)")
        let forced = try run("sofa", "convert", "--force", "--json", Self.generated, scratch("new.sofa"))
        #expect(try run("sofa", "convert", "-y", scratch("new.sofa"), scratch("new.sofa")).status == 0)
        #expect(forced.status == 0 && forced.output.contains("\"convention\" : \"SimpleFreeFieldHRIR\""))
        // A file that is no SOFA file is refused with the reason, and no output is left.
        let none = try run("sofa", "convert", #filePath, scratch("none.sofa"))
        #expect(none.status == 1 && none.complaints.first?.contains("text file") == true, "\(none.complaints)")
        let nowhere = try run("sofa", "convert", Self.generated, scratch("no/where.sofa"))
        #expect(nowhere.status == 3 && nowhere.complaints.first?.contains("cannot be written") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("")) == ["new.sofa"])
    }

    @Test("plot draws levels, delays and energy of both ears; info draws the grid, in the terminal too") func drawings()
        throws
    {
        let scratch = try Scratch()
        #expect(try run("sofa", "plot", Self.generated, "--svg", scratch("plot.svg")).status == 0)
        let plot = try String(contentsOfFile: scratch("plot.svg"), encoding: .utf8)
        for words in [
            "Level, left ear", "Level, right ear", "Interaural time difference", "Energy over time, right ear",
            "frequency, Hz",
            "azimuth", ">ms<", ">dB<",
        ] {
            #expect(plot.contains(words), "\(words)")
        }
        #expect(plot.hasPrefix("<svg") && plot.hasSuffix("</svg>\n"))
        let info = try run("sofa", "info", Self.generated, "--levels", "--svg", scratch("grid.svg"))
        #expect(info.status == 0, "\(info.complaints)")
        #expect(info.output.contains("+90° |") && info.output.contains("  peak ") && info.output.contains("  energy "))
        let grid = try String(contentsOfFile: scratch("grid.svg"), encoding: .utf8)
        let set = try FreeFieldHRIR(contentsOf: Self.generated)
        #expect(grid.contains("\(set.measurementCount) directions") && grid.contains("elevation"))
        // Every direction is a dot.
        #expect(grid.components(separatedBy: "h0").count - 1 == set.measurementCount)
        let bare = try run("sofa", "plot", Self.generated)
        #expect(bare.status == 2 && bare.complaints.joined().contains("--svg FILE"))
        let two = try run("sofa", "info", Self.generated, Self.generated, "--svg", scratch("two.svg"))
        #expect(two.status == 2 && two.complaints.joined().contains("one file"))
    }

    @Test("info calls a room a room, also with the label of a head") func labelledRoom() throws {
        let scratch = try Scratch()
        var response = [Float](repeating: 0, count: 48_000)
        response[10] = 1
        try FreeFieldHRIR(
            path: scratch("room.sofa"), attributes: ["Title": "Hall"], sampleRate: 48_000, sampleCount: 48_000,
            directions: [0.0, 90, 180, -90].map { Direction<Head>(azimuthDegrees: $0, elevationDegrees: 0) },
            distances: [2, 2, 2, 2], responses: (0..<8).flatMap { _ in response },
            delays: [Double](repeating: 0, count: 8)
        ).write(to: scratch("room.sofa"))
        let info = try run("sofa", "info", scratch("room.sofa"))
        #expect(info.status == 0 && info.output.contains("play it with --room"), "\(info.output)\(info.complaints)")
    }

    @Test(
        "plot makes a picture, and without rsvg-convert says what is missing",
        .enabled(if: hasConverter, "rsvg-convert is not installed"))
    func pictures() throws {
        let scratch = try Scratch()
        #expect(try run("sofa", "plot", Self.generated, "--png", scratch("plot.png")).status == 0)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch("plot.png"))))
        #expect(Array(bytes.prefix(8)) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        // Twice the drawing's 1000 × 1040, big-endian.
        #expect(Array(bytes[16..<24]) == [0, 0, 0x07, 0xd0, 0, 0, 0x08, 0x20])
        let without = try Run(
            ["sofa", "plot", Self.generated, "--png", scratch("no.png")], environment: ["PATH": AbsentPlace.path()])
        #expect(
            without.status == 3 && without.complaints.first?.contains("librsvg2-bin") == true, "\(without.complaints)")
    }

    @Test("a folder of files is looked at in their order, several at a time") func folder() throws {
        let scratch = try Scratch()
        for index in 0..<30 {
            let name = String(format: "%02d.sofa", index)
            if index % 3 == 0 {
                try FileManager.default.copyItem(atPath: Self.generated, toPath: scratch(name))
            } else {
                try Data("nothing".utf8).write(to: URL(fileURLWithPath: scratch(name)))
            }
        }
        let checked = try run("sofa", "check", scratch(""))
        let lines = checked.output.split(separator: "\n")
        #expect(checked.status == 1 && lines.count == 30)
        for (index, line) in lines.enumerated() {
            #expect(
                line.hasPrefix(index % 3 == 0 ? "ok\t" : "reject\t")
                    && line.contains(String(format: "%02d.sofa", index)))
        }
        let told = try run("sofa", "info", "--json", scratch(""))
        let entries = try JSONSerialization.jsonObject(with: Data(told.output.utf8)) as? [[String: Any]]
        #expect(entries?.count == 30 && (entries?[3]["measurements"] as? Int ?? 0) > 100)
    }

    @Test("a file that is written elsewhere is refused in words; one that is read is not") func locks() throws {
        let scratch = try Scratch()
        try FileManager.default.copyItem(atPath: Self.generated, toPath: scratch("set.sofa"))
        let descriptor = open(scratch("set.sofa"), O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        for (lock, status) in [(LOCK_EX, Int32(1)), (LOCK_SH, 0)] {
            try #require(flock(descriptor, lock) == 0)
            let check = try Run(["sofa", "check", scratch("set.sofa")], environment: ["HDF5_USE_FILE_LOCKING": "TRUE"])
            #expect(check.status == status, "\(check.output)")
            #expect(check.output.contains("open for writing elsewhere") == (lock == LOCK_EX), "\(check.output)")
        }
    }
}
