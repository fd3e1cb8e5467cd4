import ADMFixtures
import AudioIO
import Foundation
import Geometry
import IMU
import MotionLogs
import OSC
import Offline
import Rooms
import SOFA
import Session
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing

/// Every reader of files and datagrams, on input that once crashed or hung a reader (`Corpus`) and on some hundred new
/// faults from fixed seeds. Each must read the input or refuse it in words. `Scripts/fuzz` does the same to the whole
/// program without a time limit.
@Suite("Readers stand any bytes") struct ReaderFuzzTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Corpus")

    private typealias File = (name: String, bytes: [UInt8])

    /// Returns the corpus files of a reader.
    private func kept(_ folder: String) throws -> [File] {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.corpus.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        try #require(!files.isEmpty)
        return try files.sorted { $0.path < $1.path }.map { file in
            (name: file.path, bytes: [UInt8](try Data(contentsOf: file)))
        }
    }

    /// Runs a reader over files, unchanged and `count` times with faults. Its error must name the file.
    private func attack(_ files: [File], count: Int, read: (String) throws -> Void) throws {
        let scratch = try Scratch()
        for (index, file) in files.enumerated() {
            var mutation = Mutation(seed: UInt64(index))
            let path = scratch((file.name as NSString).lastPathComponent)
            for round in 0...count {
                try Data(round == 0 ? file.bytes : mutation.bytes(file.bytes)).write(to: URL(fileURLWithPath: path))
                do { try read(path) } catch { #expect("\(error)".contains(path)) }
            }
        }
    }

    @Test("sound files of every format") func sounds() throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 2, frames: 300)
        for i in 0..<300 { (block[0][i], block[1][i]) = (Float(i % 17) / 17, Float(i % 5) / 5) }
        var metadata = SoundFileMetadata()
        metadata.texts = [.title: "a title"]
        metadata.markers = [SoundFileMarker(frame: 7, name: "here")]
        var files: [File] = []
        for name in ["a.wav", "a.rf64", "a.bw64", "a.caf", "a.aiff", "a.w64", "a.flac"] {
            let writer = try SoundFileWriter(
                path: scratch(name), channels: 2, sampleRate: .studio, channelPositions: [1, 2], metadata: metadata)
            try writer.write(block, frames: 300)
            try writer.finish()
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch(name))))
            files.append((name: name, bytes: bytes))
        }
        files += try kept("sounds")
        try attack(files, count: 60) { path in
            let reader = try SoundFileReader(path: path)
            #expect(reader.frameCount <= SoundFileReader.mostFrames && reader.length.missingFrames >= 0)
            let block = PlanarBlock(channels: reader.channelCount, frames: 1024)
            // A header may claim a thousand times the length; the reading must end at the end of the data.
            for _ in 0..<400 {
                if try reader.read(into: block, frames: 1024) == 0 { return }
            }
            Issue.record("\(path) goes on for ever")
        }
    }

    @Test("audio definition models") func models() throws {
        var bed = ModelText()
        bed.bed("Bed", [(2, "AT_00010001_01"), (1, "AT_00010002_01")], pack: "AP_00010002")
        var mixed = ModelText()
        mixed.sound("Left", type: "0001", [1]) { _ in "<speakerLabel>M+030</speakerLabel>" }
        mixed.sound("Field", type: "0004", [2]) { _ in "<order>1</order><degree>-1</degree>" }
        mixed.sound("Bird", type: "0003", [3])
        let files = [bed, mixed].enumerated().map { index, text in
            let file = ModelFile(silent: 3, rows: text.allocation, document: text.document())
            return (name: "\(index).wav", bytes: file.bytes)
        }
        try attack(files, count: 400) { path in
            _ = try LoudnessMeasurement(file: path, stage: StageSettings(), order: nil, progress: { _ in true })
        }
    }

    @Test("SOFA files, as sets and as rooms") func sofa() throws {
        try attack(try kept("sofa"), count: 120) { path in
            switch try SOFAContent(path: path) {
            case .freeField(let set): #expect(set.responses.count == 2 * set.measurementCount * set.sampleCount)
            case .room(let room):
                for measurement in room.measurements.indices {
                    _ = try room.responses(measurement: measurement, emitter: 0, frames: 4096)
                }
                _ = try RoomViews(sofaAt: path)
            case .headphones(let set): #expect(set.responses.count == 2 * set.refitCount * set.sampleCount)
            }
        }
    }

    @Test("SOFA files whose structures are wrong and whose checksums are right") func structures() throws {
        let scratch = try Scratch()
        let path = scratch("file.sofa")
        for (index, file) in try kept("sofa").enumerated() {
            // Valid files have valid checksums: correcting them changes nothing.
            if file.name.hasSuffix("set.sofa") || file.name.hasSuffix("room.sofa") {
                var mended = file.bytes
                HDF5Mutation.mendChecksums(&mended)
                #expect(mended == file.bytes, "\(file.name)")
            }
            var mutation = HDF5Mutation(seed: UInt64(index))
            for _ in 0..<100 {
                try Data(mutation.bytes(file.bytes)).write(to: URL(fileURLWithPath: path))
                do throws(SOFAError) {
                    if case .room(let room) = try SOFAContent(path: path) {
                        _ = try room.responses(measurement: 0, emitter: 0, frames: 4096)
                    }
                } catch {
                    #expect(error.description.contains(path))
                }
            }
        }
    }

    @Test("what SOFA files say of themselves, and files written anew") func inspection() async throws {
        let scratch = try Scratch()
        for (index, file) in try kept("sofa").enumerated() {
            var mutation = Mutation(seed: UInt64(index))
            let path = scratch((file.name as NSString).lastPathComponent)
            for round in 0...60 {
                try Data(round == 0 ? file.bytes : mutation.bytes(file.bytes)).write(to: URL(fileURLWithPath: path))
                do throws(SOFAError) {
                    let inspection = SOFAInspection(path)
                    _ = try await SOFASummary(inspection)
                    _ = try await inspection.levels.load()
                    try SOFAConversion(contentsOf: path, by: .init(version: "1", date: "2026-11-25 12:00:00"))
                        .write(to: path + ".new", isReplacing: true)
                } catch {
                    #expect(error.description.contains(path))
                }
            }
        }
    }

    @Test("motion logs") func motion() throws {
        for (index, file) in try kept("motion").enumerated() {
            let text = String(decoding: file.bytes, as: UTF8.self)
            var mutation = Mutation(seed: UInt64(index))
            for round in 0...150 {
                let bytes = round == 0 ? Array(text.utf8) : mutation.text(text)
                do { _ = try MotionRecording(ndjson: Data(bytes)) } catch {
                    // The error names the line, or the whole motion log.
                    let words = "\(error)"
                    #expect(words.hasPrefix("line ") || words.contains("motion log"), "\(words)")
                }
            }
        }
    }

    @Test("layouts, what stands beside sound files, and poses") func texts() {
        let layout =
            #"{"name":"a","loudspeakers":[{"name":"l","azimuth":30,"elevation":10,"width":20},{"name":"r","azimuth":-30}]}"#
        let beside =
            #"{"loudness":-23.1,"dialnorm":-27,"drc":"film-standard","order":"film","place":{"yaw":20},"width":15}"#
        let poses = "t,w,x,y,z\n0,1,0,0,0\n0.5,0.999,0,0,0.0447\n1.0,1,0,0,0\n"
        var mutation = Mutation(seed: 1)
        for _ in 0..<300 {
            do { _ = try Layout(json: mutation.text(layout)) } catch { #expect(!error.description.isEmpty) }
            do { _ = try ProgrammeMetadata(json: mutation.text(beside)) } catch { #expect(!error.description.isEmpty) }
            do {
                let log = try OrientationLog<Head, Stage>(csv: mutation.text(poses))
                #expect(log.duration >= 0 && log.pose(at: 0.3).quaternion.squaredNorm.isFinite)
            } catch { #expect(!error.description.isEmpty) }
        }
    }

    @Test("OSC packets: messages, bundles, bundles in bundles") func packets() {
        let message = OSCPacket.message(
            OSCMessage("/proscenium/input/talk/place", [.float(1), .double(-1e300), .int32(.min), .string("film")]))
        let bundle = OSCPacket.bundle(
            OSCTimeTag(bits: .max), [message, .bundle(OSCTimeTag(bits: 1), [message, message])])
        var mutation = Mutation(seed: 2)
        for _ in 0..<2000 {
            for packet in [message, bundle] {
                guard let read = try? OSCPacket(decoding: mutation.bytes(packet.encoded())) else { continue }
                // A decoded packet, encoded again, decodes to the same packet.
                #expect((try? OSCPacket(decoding: read.encoded()).encoded()) == read.encoded())
            }
        }
    }
}
