import AudioIO
import Capture
import Foundation
import Geometry
import IMU
import Signal
import SoundFixtures
import Takes
import Testing

@Suite struct CaptureTakeTests {
    /// Writes `frames` frames in blocks; the field's samples count the frames. Returns all incidents.
    static func write(_ take: CaptureTake, frames: Int, block: Int = 1000) -> [CaptureIncident] {
        let main = PlanarBlock(channels: 6, frames: block)
        let safety = PlanarBlock(channels: 6, frames: block)
        var incidents: [CaptureIncident] = []
        var done = 0
        while done < frames {
            let count = min(block, frames - done)
            for i in 0..<count {
                for channel in 0..<6 {
                    main[channel][i] = Float(done + i) + 0.125 * Float(channel)
                    safety[channel][i] = 0.25
                }
            }
            incidents += take.write(main, safety: safety, frames: count, now: Double(done) / 48_000)
            done += count
        }
        return incidents
    }

    static func samples(_ path: String) throws -> [[Float]] {
        let reader = try SoundFileReader(path: path)
        let block = PlanarBlock(channels: reader.channelCount, frames: reader.frameCount)
        _ = try reader.read(into: block, frames: reader.frameCount)
        return (0..<reader.channelCount).map { channel in (0..<reader.frameCount).map { block[channel][$0] } }
    }

    @Test(arguments: ["take.wav", "take.bw64"])
    func `a take has its field, its stereo, its safety track, its markers and its turns`(name: String) throws {
        let folder = try Scratch()
        let take = try CaptureTake(.init(path: folder(name)), sampleRate: .studio)
        #expect(Self.write(take, frames: 20_000) == [])
        #expect(try take.mark("verse", at: 12_345))
        try take.note(.init(time: 0.1, fieldToWorld: .identity))
        try take.note(.init(time: 0.2, fieldToWorld: Quaternion(yaw: 1, pitch: 0, roll: 0)))
        guard case .completed(let names) = take.finish().first else {
            Issue.record("not completed")
            return
        }
        let stereo = CaptureNames.stereo(folder(name))
        #expect(
            Set(names) == [folder(name), stereo, CaptureNames.safety(folder(name)), folder(name + ".orientation.csv")])
        #expect(folder.contents.count == 4)
        let field = try Self.samples(folder(name))
        #expect(field.count == 4 && field[2] == (0..<20_000).map { Float($0) + 0.25 })
        #expect(try Self.samples(stereo)[1] == (0..<20_000).map { Float($0) + 0.625 })
        #expect(try Self.samples(CaptureNames.safety(folder(name))).allSatisfy { $0.allSatisfy { $0 == 0.25 } })
        let reader = try SoundFileReader(path: folder(name))
        #expect(reader.metadata.markers == [SoundFileMarker(frame: 12_345, name: "verse")])
        // Four rows with common definitions: channels 1 to 4 of an ambisonic pack of order 1.
        let rows = try #require(reader.header.model).readAllocation()
        #expect(rows.count == 164 && rows[0] == 4)
        #expect(String(decoding: rows[(4 + 2)..<(4 + 39)], as: UTF8.self) == "ATU_00000001AT_00040001_01AP_00040001")
        let track = try OrientationTrack(besideTake: folder(name))
        #expect(track.times == [0.1, 0.2])
        #expect(abs(track.poses[1].quaternion.yaw - 1) < 1e-12)
    }

    @Test func `parts follow each other without a frame lost or twice`() throws {
        let folder = try Scratch()
        let take = try CaptureTake(
            .init(path: folder("take.wav"), partBytes: 1_000_000, hasSafety: false), sampleRate: .studio)
        try take.note(.init(time: 0.5, fieldToWorld: Quaternion(yaw: 1, pitch: 0, roll: 0)))
        var incidents = Self.write(take, frames: 150_000, block: 777)
        #expect(try take.mark("late", at: 140_000))
        #expect(try !take.mark("too early", at: 10))
        incidents += take.finish()
        let begun = incidents.compactMap { if case .nextPart(let path) = $0 { path } else { nil } }
        #expect(begun == [folder("take-2.wav"), folder("take-3.wav")])
        let all = try ([folder("take.wav")] + begun).flatMap { try Self.samples($0)[0] }
        #expect(all == (0..<150_000).map(Float.init))
        let last = try SoundFileReader(path: begun[1])
        #expect(last.metadata.markers == [SoundFileMarker(frame: 140_000 - 125_000, name: "late")])
        // The track of a part begins with the device's orientation at that time.
        #expect(abs(try OrientationTrack(besideTake: begun[0]).poses[0].quaternion.yaw - 1) < 1e-12)
    }

    @Test func `where the field alone cannot be completed, what stands beside it is recovered with it`() throws {
        let folder = try Scratch()
        let take = try CaptureTake(.init(path: folder("take.wav"), replacement: .anything), sampleRate: .studio)
        _ = Self.write(take, frames: 20_000)
        #expect(try take.mark("verse", at: 12_000))
        try take.note(.init(time: 0.1, fieldToWorld: Quaternion(yaw: 1, pitch: 0, roll: 0)))
        // A file does not replace a folder.
        try FileManager.default.createDirectory(atPath: folder("take.wav"), withIntermediateDirectories: false)
        let incidents = take.finish()
        #expect(incidents.count == 1 && incidents.allSatisfy { if case .incomplete = $0 { true } else { false } })
        let parts = ["take.wav.markers.txt.part", "take.wav.orientation.csv.part", "take.wav.part"]
        #expect(folder.contents == ["take-safety.wav", "take-stereo.wav", "take.wav"] + parts)
        try FileManager.default.removeItem(atPath: folder("take.wav"))
        for round in ["", "-2"] {
            for part in round.isEmpty ? parts : parts.reversed() {
                if !round.isEmpty {
                    try FileManager.default.copyItem(atPath: folder("copy of " + part), toPath: folder(part))
                } else {
                    try FileManager.default.copyItem(atPath: folder(part), toPath: folder("copy of " + part))
                }
                _ = try CutOffTake.recover(folder(part))
            }
            let recovered = folder("take-recovered\(round).wav")
            #expect(try Self.samples(recovered)[0].count == 20_000)
            #expect(try OrientationTrack(besideTake: recovered).times == [0.1])
            let text = try String(contentsOfFile: MarkerLabels.path(of: recovered), encoding: .utf8)
            #expect(text == "0.250000\t0.250000\tverse\n")
        }
    }

    @Test func `where the name of the field is taken, the files beside it follow it`() throws {
        let folder = try Scratch()
        let take = try CaptureTake(.init(path: folder("take.wav")), sampleRate: .studio)
        _ = Self.write(take, frames: 20_000)
        try take.note(.init(time: 0.1, fieldToWorld: Quaternion(yaw: 1, pitch: 0, roll: 0)))
        #expect(FileManager.default.createFile(atPath: folder("take.wav"), contents: Data([1])))
        let names = ["take-2.wav", "take-2-stereo.wav", "take-2-safety.wav", "take-2.wav.orientation.csv"]
        #expect(take.finish() == [.completed(names.map { folder($0) })])
        #expect(folder.contents == (names + ["take.wav"]).sorted())
        #expect(try OrientationTrack(besideTake: folder("take-2.wav")).times == [0.1])
        #expect(FileManager.default.contents(atPath: folder("take.wav")) == Data([1]))
    }

    @Test func `orientations are kept where markers cannot be`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Scratch()
            try FullDisk.begin(atBytes: 500_000)
            let take = try CaptureTake(.init(path: folder("take.wav"), replacement: .anything), sampleRate: .studio)
            #expect(try take.mark("a", at: 10))
            try take.note(.init(time: 0.1, fieldToWorld: .identity))
            // A full disk leaves the markers to their text, which does not replace a folder.
            let text = MarkerLabels.path(of: folder("take.wav"))
            try FileManager.default.createDirectory(atPath: text, withIntermediateDirectories: false)
            let incidents = CaptureTakeTests.write(take, frames: 30_000) + take.finish()
            #expect(incidents.contains { if case .incomplete = $0 { true } else { false } }, "\(incidents)")
            #expect(try OrientationTrack(besideTake: folder("take.wav")).times == [0.1])
        }
    }

    @Test func `a take without turns does not keep those of the take that it replaces`() throws {
        for replacement in [Replacement.anything, .nothing] {
            let folder = try Scratch()
            let former = CaptureNames.orientation(folder("take.wav"))
            #expect(FileManager.default.createFile(atPath: former, contents: Data("t,w,x,y,z\n0,1,0,0,0\n".utf8)))
            let take = try CaptureTake(.init(path: folder("take.wav"), replacement: replacement), sampleRate: .studio)
            _ = Self.write(take, frames: 20_000)
            _ = take.finish()
            let files = ["take-safety.wav", "take-stereo.wav", "take.wav"]
            #expect(folder.contents == files + (replacement == .nothing ? ["take.wav.orientation.csv"] : []))
        }
    }

    @Test func `a file that grows opens as far as it goes`() throws {
        let folder = try Scratch()
        let take = try CaptureTake(.init(path: folder("take.wav")), sampleRate: .studio)
        _ = Self.write(take, frames: 48_000)
        let reader = try SoundFileReader(path: folder("take.wav.part"))
        #expect(reader.frameCount >= 48_000 - 6000)
        #expect(reader.channelCount == 4)
        _ = take.finish()
    }

    @Test func `names that are no WAVE file's are refused, and so is what is there`() throws {
        let folder = try Scratch()
        #expect(throws: SoundFileError.self) { try CaptureTake(.init(path: folder("a.flac")), sampleRate: .studio) }
        #expect(FileManager.default.createFile(atPath: folder("b-stereo.wav"), contents: Data([1])))
        #expect(throws: SoundFileError.exists(path: folder("b-stereo.wav"))) {
            try CaptureTake(.init(path: folder("b.wav")), sampleRate: .studio)
        }
        #expect(folder.contents == ["b-stereo.wav"])
    }
}
