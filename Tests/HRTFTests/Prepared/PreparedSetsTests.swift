import AbsentPlaces
import Foundation
import Geometry
import Glibc
import SOFA
import Signal
import Testing

@testable import HRTF

@Suite struct PreparedSetsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("prepared-\(UUID())").path
    private var cache: PreparedSets { PreparedSets(folder: folder + "/cache") }

    /// Writes a small set to a file: a rigid sphere in steps of 30°, 128 samples. Returns the path.
    private func setOnDisk(
        _ name: String = "small.sofa", radius: Double = 0.0875, title: String = "Sphere"
    ) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let directions: [Direction<Head>] = RingGrid(stepDegrees: 30).directions(in: Head.self)
        let sphere = FilterField.sphere(sampleRate: .studio, radius: radius)
        var responses: [Float] = []
        for direction in directions {
            let (left, right) = sphere.responses(direction)
            for ear in [left, right] { responses += (ear + [Float](repeating: 0, count: 128)).prefix(128) }
        }
        let path = folder + "/" + name
        // A set with another head radius replaces the file.
        try? FileManager.default.removeItem(atPath: path)
        try FreeFieldHRIR(
            path: path, attributes: ["Title": title], sampleRate: 48_000, sampleCount: 128, directions: directions,
            distances: directions.map { _ in 1.5 }, responses: responses,
            delays: [Double](repeating: 0, count: 2 * directions.count)
        ).write(to: path)
        return path
    }

    private func load(
        _ path: String, _ rate: SampleRate = .studio, from other: PreparedSets? = nil
    ) throws -> (FilterField, HRTFReport) {
        try FilterField.load(
            .file(path), sampleRate: rate,
            library: HRTFLibrary(folders: [Sources.catalogue], userDefault: AbsentPlace.path()),
            cache: other ?? cache)
    }

    private func entries() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: cache.folder).map { cache.folder + "/" + $0 }
    }

    private func expectSame(_ a: FilterField, _ b: FilterField) {
        #expect(a.tapCount == b.tapCount && a.onsetFrames == b.onsetFrames && a.sampleRate == b.sampleRate)
        for direction: Direction<Head> in RingGrid(stepDegrees: 25).directions(in: Head.self) {
            #expect(a.responses(direction) == b.responses(direction))
        }
    }

    @Test func aSetThatWasPreparedBeforeIsTheSameToTheBit() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try setOnDisk()
        let (first, told) = try load(path)
        #expect(!told.wasPrepared && told.remarks.allSatisfy { !$0.contains("cache") })
        let (second, again) = try load(path)
        #expect(again.wasPrepared)
        expectSame(first, second)
        var other = again
        other.wasPrepared = false
        #expect(other == told)
        // A copy under another name is the same prepared set; its report has the copy's path.
        try FileManager.default.copyItem(atPath: path, toPath: folder + "/copy.sofa")
        let (_, copy) = try load(folder + "/copy.sofa")
        #expect(copy.wasPrepared && copy.path == folder + "/copy.sofa")
        #expect(try entries().count == 1)
    }

    @Test func aCachedSetWithoutATitleIsCalledByItsOwnPath() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try setOnDisk(title: "")
        #expect(try load(path).1.name == path)
        let copy = folder + "/copy.sofa"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let (_, report) = try load(copy)
        #expect(report.wasPrepared && report.name == copy)
        // Another spelling of the cache's folder makes the entry be read, although the field is still in use.
        let (_, read) = try load(copy, from: PreparedSets(folder: folder + "/./cache"))
        #expect(read.wasPrepared && read.name == copy)
    }

    @Test func allShellsOfASetAreKept() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try setOnDisk()
        var options = HRTFOptions()
        options.sourceDistances = [0.4]
        let fields = try (0..<2).map { _ in
            try FilterField.load(.file(path), sampleRate: .studio, options: options, cache: cache)
        }
        #expect(fields[1].1.wasPrepared && fields[1].0.shellCount == 2)
        let direction = Direction<Head>(azimuthDegrees: 40, elevationDegrees: 0)
        #expect(fields[0].0.responses(direction, shell: 1) == fields[1].0.responses(direction, shell: 1))
        #expect(fields[1].0.responses(direction, shell: 1) != fields[1].0.responses(direction))
    }

    @Test func anotherRateAnotherContentAndNoProcessingAreNotTakenForIt() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try setOnDisk()
        _ = try load(path)
        #expect(try load(path, .cd).1.wasPrepared == false)
        #expect(try load(try setOnDisk(radius: 0.08)).1.wasPrepared == false)
        let (_, plain) = try FilterField.load(
            .file(path), sampleRate: .studio, options: HRTFOptions(processing: .none), cache: cache)
        #expect(!plain.wasPrepared)
        #expect(try entries().count == 3)
    }

    @Test("What is damaged is told, and made anew", arguments: [0, 20, 300, 50_000, -1])
    func damage(at place: Int) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try setOnDisk()
        let (first, _) = try load(path)
        let entry = try #require(try entries().first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: entry))
        if place >= 0 { bytes[place] ^= 4 } else { bytes.removeLast() }
        try bytes.write(to: URL(fileURLWithPath: entry))
        // The first field is still in use and would be shared; another spelling of the folder makes the file be read
        // again.
        let (second, told) = try load(path, from: PreparedSets(folder: folder + "/./cache"))
        #expect(!told.wasPrepared && told.remarks.contains { $0.contains("damaged") })
        expectSame(first, second)
        #expect(try load(path).1.wasPrepared)
    }

    @Test func stagesThatPlayTheSameSetShareItsFieldAndSpectra() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try setOnDisk()
        let (first, _) = try load(path)
        let (second, report) = try load(path)
        #expect(first === second && report.wasPrepared)
        #expect(try load(path, .cd).0 !== first)
        let (wide, narrow) = (first.form(slice: 128), first.form(slice: 64))
        let spectra = SpectralField.shared(first, form: narrow)
        #expect(SpectralField.shared(second, form: narrow) === spectra)
        #expect(SpectralField.shared(first, form: wide) !== spectra)
    }

    @Test func everyLengthThatWasCutOffIsDamage() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (content, report) = try small()
        let bytes = try PreparedSet(content, report).encoded()
        for length in (0..<600).map({ $0 }) + [bytes.count - 9, bytes.count - 1] {
            #expect(bytes.prefix(length).withUnsafeBytes { PreparedSet(decoding: $0) } == nil)
        }
        #expect(bytes.withUnsafeBytes { PreparedSet(decoding: $0) }?.report == report)
    }

    @Test func whereItCannotBeKeptItPlaysAndSaysSo() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try setOnDisk()
        try Data().write(to: URL(fileURLWithPath: cache.folder))  // A file lies in place of the folder.
        let (_, told) = try load(path)
        #expect(!told.wasPrepared && told.remarks.contains { $0.contains("could not be stored in") })
    }

    @Test func whatWasNotUsedForLongestGoes() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (content, report) = try small()
        let set = PreparedSet(content, report)
        let size = try set.encoded().count
        var keys: [PreparedSets.Key] = []
        let few = PreparedSets(folder: cache.folder, capacity: 2 * size + size / 2)
        for number in 0..<4 {
            let file = folder + "/\(number)"
            try Data("\(number)".utf8).write(to: URL(fileURLWithPath: file))
            keys.append(try #require(PreparedSets.Key(path: file, sampleRate: .cd, options: HRTFOptions())))
        }
        func isKept(_ key: PreparedSets.Key) -> Bool { if case .set = few.find(key) { true } else { false } }
        try few.keep(set, as: keys[0])
        try few.keep(set, as: keys[1])
        #expect(isKept(keys[0]))  // Used again, so that the other one is the oldest.
        try few.keep(set, as: keys[2])
        #expect(isKept(keys[0]) && !isKept(keys[1]) && isKept(keys[2]))
    }

    @Test func manyAtOnceLeaveWholeEntries() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (content, report) = try small()
        let bytes = try PreparedSet(content, report).encoded()
        let (cache, file) = (cache, folder + "/file")
        try Data("x".utf8).write(to: URL(fileURLWithPath: file))
        let key = try #require(PreparedSets.Key(path: file, sampleRate: nil, options: HRTFOptions()))
        let whole = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    guard let set = bytes.withUnsafeBytes({ PreparedSet(decoding: $0) }) else { return false }
                    for _ in 0..<8 {
                        try cache.keep(set, as: key)
                        guard case .set(let found) = cache.find(key), found.report == report else { return false }
                    }
                    return true
                }
            }
            return try await group.reduce(true) { $0 && $1 }
        }
        #expect(whole)
        #expect(try entries().count == 1)
    }

    /// As `cp -p` does with another file of this size and time.
    @Test func `A file that is overwritten with another of the same size and time is told from it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/room.wav"
        try Data("one".utf8).write(to: URL(fileURLWithPath: path))
        func dated() throws -> String? {
            let whole = Date(timeIntervalSince1970: 1_000_000_000)
            try FileManager.default.setAttributes([.modificationDate: whole], ofItemAtPath: path)
            return CacheEntries.state(of: path)
        }
        let before = try #require(try dated())
        // Longer than a step of the file system's clock.
        usleep(50_000)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.write(contentsOf: Data("two".utf8))
        try file.close()
        #expect(try dated() != before)
    }

    /// Returns the content and report that a small set is prepared into.
    private func small() throws -> (FilterField.Content, HRTFReport) {
        var preparation = try FieldPreparation(
            try FreeFieldHRIR(contentsOf: try setOnDisk()), sampleRate: .studio, options: HRTFOptions())
        return try preparation.content()
    }
}
