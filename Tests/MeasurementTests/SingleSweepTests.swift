import AudioIO
import Foundation
import Signal
import Soundstage
import Sweeps
import Testing

@testable import Measurement

@Suite("Takes of a single sweep")
struct SingleSweepTests {
    /// Silence before each sweep of a recording, seconds.
    private static let pause = 1.0
    /// The sweep's file: the sweep between two unlike silences.
    private static let sweep =
        [Float](repeating: 0, count: 100)
        + (try! ExponentialSweep(seconds: 1, sampleRate: .studio, amplitude: 0.5)).samples
        + [Float](repeating: 0, count: 50)

    private static func write(_ rows: [[Float]], to path: String) throws {
        let block = PlanarBlock(channels: rows.count, frames: rows[0].count)
        for (channel, row) in rows.enumerated() {
            for (i, sample) in row.enumerated() { block[channel][i] = sample }
        }
        let writer = try SoundFileWriter(path: path, channels: rows.count, sampleRate: .studio)
        try writer.write(block, frames: rows[0].count)
        try writer.finish()
    }

    /// Returns the take of a recording of `count` sweeps, all heard through the same response, under a name. The sound
    /// is `late` frames late, as if the recorder had begun earlier.
    private static func take(
        _ name: String, count: Int, of loudspeakers: [Loudspeaker], late: Int = 0, isApart: Bool = false
    ) throws -> NamedTake {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("prosc-single-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let silence = [Float](repeating: 0, count: Int(pause * 48_000))
        let played = (0..<count).flatMap { _ in silence + sweep } + silence
        var heard = [Float](repeating: 0, count: played.count)
        for (tap, weight) in [(400, Float(0.5)), (900, 0.1)] {
            for i in (tap + late)..<played.count { heard[i] += weight * played[i - tap - late] }
        }
        let path = folder.path
        try write([sweep], to: path + "/sweep.wav")
        try write([heard, heard], to: "\(path)/\(name).wav")
        let signal = MeasurementSignal.sweep(
            path: path + "/sweep.wav", layout: Layout(name: "own", loudspeakers: loudspeakers), pause: pause,
            isApart: isApart)
        return try TakeReader(signal, microphones: [nil, nil]).take("\(path)/\(name).wav")
    }

    private static func loudspeakers(_ names: [String]) -> [Loudspeaker] {
        names.enumerated().map { Loudspeaker(symbol: $1, azimuthDegrees: Double(30 * $0)) }
    }

    @Test("silence around the sweep in its file belongs to each sweep of a recording")
    func silence() throws {
        let take = try Self.take("FL,FR,FC", count: 3, of: Self.loudspeakers(["FL", "FR", "FC"]))
        let onsets = take.take.responses.map { response in response.onsets.map { $0 + response.origin } }
        #expect(onsets.count == 3 && Set(onsets).count == 1, "\(onsets)")
        #expect(onsets.allSatisfy { $0.allSatisfy { abs($0 - 400) <= 2 } }, "\(onsets)")
    }

    @Test("a recording that began apart is found also where each loudspeaker has several looks")
    func startedApart() throws {
        let loudspeakers = Self.loudspeakers(["FL", "FR"])
        func judged(late: Int) throws -> [String] {
            var found = try [("FL", 0), ("FR", late), ("FL_30", 0), ("FR_30", late)].map { name, late in
                try Self.take(name, count: 1, of: loudspeakers, late: late)
            }
            NamedTake.judgeStarts(&found)
            return found.filter { $0.faults.contains { $0.name == "started-apart" } }.map {
                ($0.path as NSString).lastPathComponent
            }
        }
        #expect(try judged(late: 0) == [])
        // FR is 9600 frames, a fifth of a second, late. The looks of FR agree with each other.
        #expect(try judged(late: 9600) == ["FR.wav"])
    }

    @Test("recordings that began at any time are found, and their delays are those of the loudspeakers' distances")
    func apart() throws {
        var loudspeakers = Self.loudspeakers(["FL", "FR"])
        // The sound of FR travels 2 ms longer than that of FL, which stands 2 m away.
        loudspeakers[1].distance = 2.686
        var found = try [("FL", 5000), ("FR", 40_000), ("FR_30", 20_000)].map { name, late in
            try Self.take(name, count: 1, of: loudspeakers, late: late, isApart: true)
        }
        NamedTake.placeStarts(&found, of: loudspeakers)
        NamedTake.align(&found, isFree: true)
        let arrivals = found.map { $0.take.responses[0].origin + $0.take.responses[0].onsets[0] }
        #expect(abs(arrivals[1] - arrivals[0] - 96) <= 2 && abs(arrivals[2] - arrivals[1]) <= 2, "\(arrivals)")
    }

    @Test("the file of a single sweep holds one channel, from which the sweep is read")
    func file() throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("prosc-single-\(UUID().uuidString).wav").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let report = try SweepFile.writeSingle(
            seconds: 2, decay: 0.5, level: -20, sampleRate: .studio, to: path, replaces: false)
        #expect(report.files == [path] && report.lines.count == 3 && abs(report.seconds - 3) < 0.05)
        #expect(!FileManager.default.fileExists(atPath: SweepFile.text(of: path)))
        let read = try TakeReading.sweep(path)
        #expect(abs(read.sweep.seconds - 2) < 0.05 && abs(read.before - 24_000) < 100)
        #expect(abs((read.sweep.samples.map(abs).max() ?? 0) - 0.1) < 0.001)
        #expect(throws: ResponseError.self) {
            try SweepFile.writeSingle(
                seconds: 2, decay: 0.5, level: -20, sampleRate: .studio, to: path, replaces: false)
        }
    }

    @Test("a recording is named by the layout's own names, with their digits and in their case")
    func ownNames() throws {
        for (name, count, symbols, yaw) in [
            ("h1", 1, ["h1"], 0.0), ("h2,h1_-30", 2, ["h2", "h1"], -30), ("Ls_30", 1, ["Ls"], 30),
        ] {
            let take = try Self.take(name, count: count, of: Self.loudspeakers(["h1", "h2", "Ls"]))
            #expect(take.take.responses.map(\.loudspeaker) == symbols && take.yaw == yaw, "\(name)")
        }
    }

    @Test("a name without a loudspeaker of the layout is refused, with the names that the layout has")
    func unknown() throws {
        for name in ["FC", "Ls,FC"] {
            #expect {
                try Self.take(name, count: 1, of: Self.loudspeakers(["h1", "Ls"]))
            } throws: {
                "\($0)".contains("FC is no loudspeaker of own (h1, Ls)")
            }
        }
    }
}
