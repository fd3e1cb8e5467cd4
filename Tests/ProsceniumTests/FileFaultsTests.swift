import AudioIO
import Foundation
import Geometry
import SOFA
import Signal
import SoundFixtures
import Testing

/// Files that are cut, lie or end early, as a user of the program meets them: one clear line, and the right status.
@Suite("Faults of files, through the program") struct FileFaultsTests {
    private func write(_ path: String, frames: Int, channels: Int = 2) throws {
        let block = PlanarBlock(channels: channels, frames: 4800)
        for channel in 0..<channels { for i in 0..<4800 { block[channel][i] = i % 100 < 50 ? 0.1 : -0.1 } }
        let writer = try SoundFileWriter(path: path, channels: channels, sampleRate: .studio)
        for start in stride(from: 0, to: frames, by: 4800) {
            try writer.write(block, frames: min(4800, frames - start))
        }
        try writer.finish()
    }

    @Test("render and preview stand an RF64 whose ds64 says 2⁶³ − 1") func hugeSizes() throws {
        let folder = try Scratch()
        try write(folder("long.rf64"), frames: 4800)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder("long.rf64"))))
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("ds64".utf8)) }) + 16
        bytes.replaceSubrange(place..<(place + 8), with: [255, 255, 255, 255, 255, 255, 255, 127])
        let data = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("data".utf8)) })
        bytes.replaceSubrange((data + 4)..<(data + 8), with: [255, 255, 255, 255])
        try Data(bytes).write(to: URL(fileURLWithPath: folder("long.rf64")))
        let render = try Run("render", folder("long.rf64"), folder("ears.wav"), "--hrtf", "generated", "--no-tail")
        #expect(render.status == 0 && render.complaints.contains { $0.contains("is cut off") }, "\(render.complaints)")
        #expect(try SoundFileReader(path: folder("ears.wav")).frameCount == 4800)
        // No server has that name: the program checks the file before it connects to a server.
        let preview = try Run(
            ["preview", folder("long.rf64"), "--quiet", "--room", "none", "--hrtf", "generated", "--control", "none"],
            environment: ["JACK_DEFAULT_SERVER": "nobody"])
        #expect(
            preview.status == 3 && preview.complaints.contains { $0.contains("is cut off") }, "\(preview.complaints)")
    }

    @Test("preview --from behind the end says how long the file is", arguments: ["1e19", "0.1", "3600"])
    func fromBehindTheEnd(_ seconds: String) throws {
        let folder = try Scratch()
        try write(folder("song.wav"), frames: 4800)
        let run = try Run(
            "preview", folder("song.wav"), "--from", seconds, "--quiet", "--room", "none", "--control", "none")
        #expect(run.status == 1)
        #expect(run.complaints.count == 1 && run.complaints.first?.contains("song.wav is 0.1 s long") == true)
    }

    @Test("sofa info describes a room that sofa check passes") func rooms() throws {
        let folder = try Scratch()
        let directions = (0..<4).map { Direction<Head>(azimuthDegrees: Double($0) * 90, elevationDegrees: 0) }
        let room = FreeFieldHRIR(
            path: "room", attributes: ["Title": "four walls"], sampleRate: 48_000,
            sampleCount: 16, directions: directions, distances: [1, 1, 1, 1],
            responses: (0..<128).map { $0 % 16 == 3 ? 1 : 0 }, delays: [Double](repeating: 0, count: 8))
        try room.write(to: folder("room.sofa"))
        // This program writes sets of heads. One of them is changed to a room file as other programs write it.
        let relabelling = Process()
        relabelling.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        relabelling.arguments = [
            "-c",
            "import h5py, sys; h5py.File(sys.argv[1], 'r+').attrs['SOFAConventions'] = 'SingleRoomSRIR'",
            folder("room.sofa"),
        ]
        try relabelling.run()
        relabelling.waitUntilExit()
        try #require(relabelling.terminationStatus == 0, "python3-h5py is needed (make setup)")
        let check = try Run("sofa", "check", folder("room.sofa"))
        #expect(check.status == 0)
        let info = try Run("sofa", "info", folder("room.sofa"))
        #expect(info.status == 0 && info.output.contains("four walls") && info.output.contains("a room"))
        let json = try Run("sofa", "info", "--json", folder("room.sofa"))
        let entries = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
        #expect(entries?.first?["emitters"] as? Int == 1)
    }

    /// Extends a sound file by silence to a sparse gigabyte, which takes no space on the disk.
    private func lengthen(_ path: String) throws {
        let start = try #require(
            try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data("data".utf8))?.upperBound)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = 1 << 30
        for (place, number) in [(4, size - 8), (start, size - start - 4)] {
            try file.seek(toOffset: UInt64(place))
            try file.write(contentsOf: withUnsafeBytes(of: UInt32(number).littleEndian) { Data($0) })
        }
        try file.truncate(atOffset: UInt64(size))
        try file.close()
    }

    @Test(
        "a hang-up, an interrupt and a request to end each remove what an offline tool has half written",
        arguments: [SIGHUP, SIGINT, SIGTERM])
    func signals(_ number: Int32) throws {
        let folder = try Scratch()
        try write(folder("hour.wav"), frames: 4800)
        try lengthen(folder("hour.wav"))
        let process = Process()
        // The program gets the default actions of signals, even if the tests run with ignored signals, as under nohup.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "--default-signal=HUP,INT,TERM", Run.program.path, "render", folder("hour.wav"), folder("ears.wav"),
            "--hrtf",
            "generated",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The test waits, for a limited time, for the partial file, then for the end.
        for _ in 0..<6000 {
            if folder.contents.contains(where: { $0.hasSuffix(".part") }) { break }
            usleep(10_000)
        }
        #expect(folder.contents.contains { $0.hasSuffix(".part") }, "it never began to write")
        kill(process.processIdentifier, number)
        for _ in 0..<6000 where process.isRunning { usleep(10_000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 130)
        #expect(folder.contents == ["hour.wav"])
    }
}
