import AbsentPlaces
import Foundation
import Geometry
import Headphones
import Loading
import SOFA
import Signal
import SoundFixtures
import Testing

@testable import HRTF
@testable import Processes
@testable import Rooms
@testable import Session

/// Files that a child process, the program itself, reads. The result is the same to the bit, and any failure of the
/// child is only an error.
@Suite("SOFA files read in a process of their own", .timeLimit(.minutes(10))) struct SOFAReadingTests {
    private let scratch: Scratch
    private let reader = ChildReader(program: Run.program.path)

    init() throws { scratch = try Scratch() }

    /// Writes the responses of a sphere in these directions, `taps` samples each. Returns the path of the file.
    private func set(_ directions: [Direction<Head>], taps: Int = 128, named name: String = "set.sofa") throws -> String
    {
        let sphere = FilterField.sphere(sampleRate: .studio, radius: 0.0875)
        var responses: [Float] = []
        for direction in directions {
            let (left, right) = sphere.responses(direction)
            for ear in [left, right] { responses += (ear + [Float](repeating: 0, count: taps)).prefix(taps) }
        }
        // Responses that are long enough get a room's tail.
        for i in responses.indices where i % taps > 1000 { responses[i] = 1e-3 * Float(sin(Double(i * i % 7919))) }
        let path = scratch(name)
        try FreeFieldHRIR(
            path: path, attributes: ["Title": "Sphere"], sampleRate: 48_000, sampleCount: taps, directions: directions,
            distances: directions.map { _ in 1.5 }, responses: responses,
            delays: directions.indices.flatMap { [0.25 * Double($0 % 3), 0] }
        ).write(to: path)
        return path
    }

    private var sphere: [Direction<Head>] { RingGrid(stepDegrees: 30).directions(in: Head.self) }

    private func load(
        _ path: String, _ options: HRTFOptions, by reader: any SOFAReader, cache: PreparedSets? = nil
    ) throws -> (FilterField, HRTFReport) {
        try FilterField.load(
            .file(path), sampleRate: .cd, options: options,
            library: HRTFLibrary(folders: [], userDefault: AbsentPlace.path()), cache: cache,
            prepare: { path, rate, options, reading, whenRead throws(HRTFError) in
                try reader.set(at: path, sampleRate: rate, options: options, reading: reading, whenRead: whenRead)
            })
    }

    @Test("a set is the same to the bit, prepared and as stored", arguments: HRTFProcessing.allCases)
    func sets(_ processing: HRTFProcessing) throws {
        let path = try set(sphere)
        let options = HRTFOptions(processing: processing)
        let (own, told) = try load(path, options, by: InProcessReader())
        let (other, heard) = try load(path, options, by: reader)
        #expect(told == heard && own.tapCount == other.tapCount && own.onsetFrames == other.onsetFrames)
        for direction in sphere + RingGrid(stepDegrees: 25).directions(in: Head.self) {
            #expect(own.responses(direction) == other.responses(direction))
        }
    }

    @Test("what a child prepared is kept, and where it cannot be, the set plays") func kept() throws {
        let path = try set(sphere)
        let cache = PreparedSets(folder: scratch("cache"))
        #expect(try !load(path, HRTFOptions(), by: reader, cache: cache).1.wasPrepared)
        // The set is found in the cache, so no process reads the file.
        let (_, again) = try load(path, HRTFOptions(), by: ChildReader(program: AbsentPlace.path()), cache: cache)
        #expect(again.wasPrepared)
        try Data().write(to: URL(fileURLWithPath: scratch("blocked")))
        let (_, report) = try load(path, HRTFOptions(), by: reader, cache: PreparedSets(folder: scratch("blocked")))
        #expect(report.remarks.contains { $0.contains("could not be stored in") })
    }

    @Test("a room is the same to the bit, and read as it is needed") func rooms() throws {
        let path = try set(
            [Direction(azimuthDegrees: 30, elevationDegrees: 0), .init(azimuthDegrees: -30, elevationDegrees: 0)],
            taps: 9600, named: "room.sofa")
        let (own, other) = (try InProcessReader().room(at: path), try reader.room(at: path))
        #expect(own.title == other.title && own.remarks == other.remarks && own.sampleCount == other.sampleCount)
        #expect(own.sources.map(\.direction) == other.sources.map(\.direction))
        for (a, b) in zip(own.sources, other.sources) {
            #expect(a.views.map(\.yaw) == b.views.map(\.yaw))
            for (key, frames) in zip(a.views.map(\.key), [9600, 100, 0]) {
                let (x, y) = (try own.read(key, frames), try other.read(key, frames))
                #expect(x.left == y.left && x.right == y.right)
            }
        }
        let field = FilterField.sphere(sampleRate: .studio)
        let wanted: [Direction<Stage>?] = [Direction(azimuthDegrees: 30, elevationDegrees: 0), nil]
        let (a, _) = try RoomResponses.prepare(own, for: wanted, heardThrough: field)
        let (b, _) = try RoomResponses.prepare(try reader.room(at: path), for: wanted, heardThrough: field)
        for ear in 0..<2 { #expect(a.response(source: 0, yaw: 0, ear: ear) == b.response(source: 0, yaw: 0, ear: ear)) }
    }

    @Test("what is wrong with a file is told in the same words") func faults() throws {
        try Data("no SOFA".utf8).write(to: URL(fileURLWithPath: scratch("bad.sofa")))
        func errors(_ work: (any SOFAReader) throws -> Void) -> [String] {
            [InProcessReader(), reader].map { (reader: any SOFAReader) in
                do { try work(reader) } catch { return "\(error)" }
                return "none"
            }
        }
        for path in [scratch("bad.sofa"), scratch("none.sofa"), try set(Array(sphere[..<2]), taps: 9600)] {
            let told = errors { _ = try load(path, HRTFOptions(), by: $0) }
            #expect(told[0] == told[1] && told[0].contains(path))
            let headphones = errors { _ = try $0.headphones(at: path) }
            #expect(headphones[0] == headphones[1] && headphones[0].contains(path))
        }
        let rooms = errors { _ = try $0.room(at: scratch("bad.sofa")) }
        #expect(rooms[0] == rooms[1] && rooms[0].contains("bad.sofa"))
        let wrong = errors { _ = try load(scratch("none.sofa"), HRTFOptions(), by: $0) }
        #expect(wrong[0] == wrong[1])
    }

    @Test("a process that dies, is ended for its memory, says nonsense or cannot begin is told, with what it said last")
    func deaths() throws {
        let path = try set(sphere)
        func told(_ reader: ChildReader) -> String {
            do { _ = try load(path, HRTFOptions(), by: reader) } catch { return "\(error)" }
            return "none"
        }
        let crash = told(ChildReader(program: "/bin/sh", words: ["-c", "echo words >&2; kill -SEGV $$", "sh"]))
        #expect(crash.contains("signal 11 (segmentation fault) ended it (its message: words)") && crash.contains(path))
        #expect(told(ChildReader(program: "/bin/sh", words: ["-c", "exit 3", "sh"])).contains("ended with status 3"))
        let nowhere = AbsentPlace.path()
        #expect(told(ChildReader(program: nowhere)).contains(nowhere))
        let nonsense = #"echo '{"set":{"bytes":12}}'; sleep 1"#
        #expect(told(ChildReader(program: "/bin/sh", words: ["-c", nonsense, "sh"])).contains("its result is invalid"))
        // A line without an end.
        let endless = told(ChildReader(program: "/bin/sh", words: ["-c", "cat /dev/zero", "sh"]))
        #expect(endless.contains("signal 9"))
        func shell(_ line: String) -> ChildReader {
            ChildReader(program: "/bin/sh", words: ["-c", "echo '\(line)'; sleep 1", "sh"])
        }
        for (rate, count) in [("1e300", 4), ("48000", 0), ("10", 4)] {
            let facts =
                #"{"path":"a","attributes":{},"sampleRate":\#(rate),"sampleCount":\#(count),"delays":[0,0],"remarks":[],"refits":[0]}"#
            #expect(throws: SOFAError.self) {
                _ = try shell(#"{"headphones":{"_0":\#(facts)}}"#).headphones(at: path)
            }
        }
        for rate in ["1e300", "3"] {
            let facts =
                #"{"sampleCount":4,"path":"a","title":"","licence":"","sampleRate":\#(rate),"sources":[{"yaws":[0],"keys":[0]}],"remarks":[]}"#
            #expect(throws: RoomError.self) { _ = try shell(#"{"room":{"_0":\#(facts)}}"#).room(at: path) }
        }
        let small = ChildReader(program: Run.program.path, limits: ProcessLimits(memoryBytes: 1 << 20))
        #expect(told(small).contains("was read in a process of its own, and"))
        // A room's process may also end after it was opened.
        let room = try set([Direction(azimuthDegrees: 30, elevationDegrees: 0)], taps: 9600, named: "room.sofa")
        let views = try ChildReader(
            program: "/bin/sh",
            words: ["-c", "\(Run.program.path) sofa read \"$1\" | { head -n 1; kill -KILL $$; }", "sh"]
        ).room(at: room)
        let error = #expect(throws: RoomError.self) { _ = try views.read(views.sources[0].views[0].key, 100) }
        #expect(error?.description.contains("signal 9") == true)
    }

    @Test("one that hangs is given up, and ended at once where it is not wanted any more") func hanging() throws {
        let path = try set(sphere)
        let asleep = ["-c", "sleep 1000", "sh"]
        let silent = ChildReader(program: "/bin/sh", words: asleep, patience: (0.3, 0.3))
        let error = #expect(throws: HRTFError.self) { _ = try load(path, HRTFOptions(), by: silent) }
        #expect(error?.description.contains("it sent no message for 1 s") == true)
        let unwanted = ChildReader(program: "/bin/sh", words: asleep, isWanted: { false })
        #expect(throws: HRTFError.file(.cancelled(path: path))) { try load(path, HRTFOptions(), by: unwanted) }
        #expect(throws: SOFAError.cancelled(path: path)) { try unwanted.headphones(at: path) }
        // `progress` is called while the process is silent, and may end the reading.
        var asked: [Double] = []
        #expect(throws: HRTFError.file(.cancelled(path: path))) {
            try ChildReader(program: "/bin/sh", words: asleep).set(
                at: path, sampleRate: nil, options: HRTFOptions(),
                reading: {
                    asked.append($0)
                    return asked.count < 3
                }, whenRead: {})
        }
        #expect(asked == [0, 0, 0])
    }

    @Test("progress comes through, and then that the set is read") func progress() throws {
        let path = try set(sphere)
        var shares: [Double] = []
        var isRead = false
        _ = try reader.set(
            at: path, sampleRate: nil, options: HRTFOptions(),
            reading: {
                shares.append($0)
                return true
            }, whenRead: { isRead = true })
        #expect(isRead && shares == shares.sorted())
    }
}
