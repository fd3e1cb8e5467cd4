import AudioIO
import AudioInMemory
import Foundation
import Glibc
import SOFA
import Signal
import Sweeps
import Synchronization
import Testing

@testable import Measurement

/// Headphones on a person's ears in memory: each fit has other responses, which are known.
private enum WornHeadphones {
    /// Response of an ear's driver in a fit: a direct sound, and reflections of which one depends on the fit.
    static func response(_ fit: Int, ear: Int) -> [(tap: Int, weight: Float)] {
        [(20, ear == 0 ? 1 : 0.9), (26 + fit % 3 + ear, -0.3), (70, 0.1)]
    }

    static func ears(_ sweeps: PlayedSweeps, noise: Float = 1e-6) throws -> SimulatedEars {
        try SimulatedEars(sweeps, noise: noise) { signals, fit, fault in
            var ears = [[Float]](repeating: [Float](repeating: 0, count: signals[0].count), count: 2)
            for driver in 0..<2 where !(fault == .unplugged && driver == 1) {
                for (tap, weight) in response(Int(fit), ear: driver) {
                    for i in (tap + 300)..<signals[driver].count {
                        let sample = weight * signals[driver][i - tap - 300]
                        ears[driver][i] += sample
                        // Open headphones are heard at the other ear too, 40 dB fainter.
                        ears[1 - driver][i] += 0.01 * sample
                    }
                }
            }
            return ears
        }
    }
}

@Suite("Measuring headphones")
struct HeadphonesTests {
    private static let sweeps = PlayedSweeps(headphonesAt: .studio, seconds: 1.5, decay: 0.5, level: -20)

    private static func measurement(_ worn: SimulatedEars, in folder: String, fits: Int) -> PersonMeasurement {
        let exchange = MemoryExchange(sampleRate: .studio, loudspeakers: PlayedSweeps.drivers) {
            signals throws(JACKError) in try worn.hear(signals)
        }
        return PersonMeasurement(
            exchange: exchange, sweeps: sweeps, folder: MeasurementFolder(folder, of: .fits),
            looks: (1...fits).map(Double.init), mostLevel: -20, tries: 2)
    }

    private static func run(_ measurement: PersonMeasurement, _ worn: SimulatedEars) async throws -> [PersonEvent] {
        let events = Mutex<[PersonEvent]>([])
        _ = try await measurement.run(
            ready: { fit in
                worn.prepare(fit)
                return fit
            }, look: { nil }, goesOn: { true }, tell: { event in events.withLock { $0.append(event) } })
        return events.withLock { $0 }
    }

    /// Returns the level of a response at a frequency, dB.
    private static func level(_ row: [(tap: Int, weight: Float)], at hertz: Double) -> Double {
        let (real, imaginary) = row.reduce((0.0, 0.0)) { sum, each in
            let angle = 2 * Double.pi * hertz / 48_000 * Double(each.tap)
            return (sum.0 + Double(each.weight) * cos(angle), sum.1 - Double(each.weight) * sin(angle))
        }
        return 20 * log10(hypot(real, imaginary))
    }

    private static func temporary() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("prosc-phones-\(UUID().uuidString)").path
    }

    @Test("the file holds each fit's responses")
    func recovered() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let worn = try WornHeadphones.ears(Self.sweeps)
        let events = try await Self.run(Self.measurement(worn, in: folder, fits: 3), worn)
        #expect(worn.takes == 3 && events.count(where: { if case .kept = $0 { true } else { false } }) == 3)
        let made = MeasurementFolder(folder, of: .fits)
        let report = try HeadphoneMeasurement(folder: made).run(replaces: false)
        #expect(report.takes.count == 3 && report.spread != nil)
        // The boost of the inverse is that of the file, and it is stated.
        #expect(report.boost > 0 && report.boost <= 10)
        #expect(report.lines.contains { $0.contains(String(format: "boosts by %.1f dB", report.boost)) })
        // The right driver is up to 0.9 dB softer than the left one, and each microphone has a peak of its own.
        let peaks = events.compactMap { event -> EarPeaks? in
            if case .judged(let peaks, _) = event { peaks } else { nil }
        }
        #expect(peaks.count == 3 && peaks.allSatisfy { (0.3...2).contains($0.left - $0.right) }, "\(peaks)")
        // Two flat fits 2 dB apart deviate by √2 dB.
        let flat = [Float(1), Float(pow(10, -0.1))].map { [[0, $0, 0, 0], [0, $0, 0, 0]] }
        let spread = try #require(FitSpread.decibels(flat, sampleRate: 48_000))
        #expect(abs(spread.middle - 2.0.squareRoot()) < 0.01 && abs((spread.high ?? 0) - 2.0.squareRoot()) < 0.01)
        let found = try HeadphoneResponses(contentsOf: made.headphones)
        #expect(found.refitCount == 3 && found.sampleRate == 48_000)
        for fit in 0..<3 {
            for ear in 0..<2 {
                let row = found.response(fit, ear: ear).enumerated().map { (tap: $0, weight: $1) }
                for hertz in [125.0, 500, 2000, 5000, 8000, 12_000, 16_000] {
                    let truth = Self.level(WornHeadphones.response(fit + 1, ear: ear), at: hertz)
                    #expect(abs(Self.level(row, at: hertz) - truth) < 0.05, "fit \(fit + 1), ear \(ear), \(hertz) Hz")
                }
            }
        }
        // An existing file stays unless it may be replaced; the same line makes it anew.
        #expect(throws: ResponseError.self) { try HeadphoneMeasurement(folder: made).run(replaces: false) }
        _ = try HeadphoneMeasurement(folder: made).run(replaces: true)
        // A take that was changed later is judged again.
        let last = try #require(made.takes.last?.path)
        try Self.clip(last)
        let error = #expect(throws: ResponseError.self) { try HeadphoneMeasurement(folder: made).run(replaces: true) }
        guard case .refused(let faulty, _) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(faulty.map(\.take) == [last] && faulty.first?.faults.first?.name == "clipped")
    }

    @Test("a request records a fit anew, leaves one out, and ends the measurement; good takes stay")
    func requested() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let worn = try WornHeadphones.ears(Self.sweeps)
        let measurement = Self.measurement(worn, in: folder, fits: 4)
        let requests = measurement.requests
        let asked = Mutex<[Double]>([])
        await #expect(throws: ResponseError.self) {
            try await measurement.run(
                ready: { fit in
                    let count = asked.withLock { asked in
                        asked.append(fit)
                        return asked.count
                    }
                    if count == 2 { requests.put(.again(1)) }
                    if count == 4 { requests.put(.skip(2)) }
                    if count == 6 { requests.put(.stop) }
                    guard !requests.ends(fit) else { return nil }
                    worn.prepare(fit)
                    return fit
                }, look: { nil }, goesOn: { true }, tell: { _ in })
        }
        #expect(asked.withLock { $0 } == [1, 2, 1, 2, 3, 4] && worn.takes == 3)
        #expect(measurement.folder.takes.map(\.yaw) == [1, 3])
        #expect(FileManager.default.fileExists(atPath: folder + "/fit_1_former.wav"))
        #expect(try HeadphoneMeasurement(folder: measurement.folder).run(replaces: false).takes.count == 2)
    }

    /// Amplifies a recording so far that it is clipped.
    private static func clip(_ path: String) throws {
        let reader = try SoundFileReader(path: path)
        let block = PlanarBlock(channels: reader.channelCount, frames: reader.frameCount)
        _ = try reader.read(into: block, frames: reader.frameCount)
        for row in 0..<reader.channelCount {
            for i in 0..<reader.frameCount { block[row][i] = max(-1, min(1, 1000 * block[row][i])) }
        }
        let writer = try SoundFileWriter(
            path: path, channels: reader.channelCount, sampleRate: reader.sampleRate, replaces: true)
        try writer.write(block, frames: reader.frameCount)
        try writer.finish()
    }

    @Test(
        "a planted fault is named, and only its take is repeated",
        arguments: [
            SimulatedEars.Fault.clipped, .exchanged, .dropout, .quiet, .noise, .unplugged,
        ])
    func faults(fault: SimulatedEars.Fault) async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let worn = try WornHeadphones.ears(Self.sweeps, noise: 3e-5)
        worn.plan([1: fault])
        let events = try await Self.run(Self.measurement(worn, in: folder, fits: 2), worn)
        let refused = events.compactMap { event -> [TakeFault]? in
            if case .refused(let faults) = event { faults } else { nil }
        }
        let words: [SimulatedEars.Fault: String] = [
            .clipped: "clipped", .exchanged: "exchanged-drivers", .dropout: "dropout", .quiet: "too-quiet",
            .noise: "noise", .unplugged: "wrong-channel",
        ]
        #expect(refused.count == 1 && refused[0].map(\.name) == [words[fault] ?? ""], "\(refused)")
        #expect(worn.takes == 3)
    }

    @Test("the level begins at −60 dBFS and keeps its limit; a lost server leaves the good takes")
    func level() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let worn = try WornHeadphones.ears(Self.sweeps, noise: 1e-3)
        worn.plan([1: .gone])
        let measurement = Self.measurement(worn, in: folder, fits: 2)
        await #expect(throws: JACKError.serverGone) { try await Self.run(measurement, worn) }
        let levels = worn.levels.map { (20 * log10($0)).rounded() }
        #expect(levels.first == -60 && levels.allSatisfy { $0 <= -20 }, "\(levels)")
        #expect(measurement.folder.takes.map(\.yaw) == [1])
        let events = try await Self.run(measurement, worn)
        guard case .resumed(1, 2, .fits) = events[0] else { return #expect(Bool(false), "\(events)") }
        // A lower limit than the level of the folder is kept, and nothing is played.
        var quieter = measurement
        quieter.mostLevel = -58
        let count = worn.levels.count
        await #expect(throws: ResponseError.self) { try await Self.run(quieter, worn) }
        #expect(worn.levels.count == count)
    }

    @Test("a driver that is not heard ends the search for the level, with its name")
    func unplugged() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let worn = try WornHeadphones.ears(Self.sweeps, noise: 3e-5)
        worn.plan([:], lasting: .unplugged)
        await #expect {
            try await Self.run(Self.measurement(worn, in: folder, fits: 1), worn)
        } throws: { error in
            "\(error)".contains("the right driver: was not heard at its ear") && "\(error)".contains("at most -20 dBFS")
        }
        #expect(worn.takes == 0)
    }

    @Test("a text of headphones names both drivers, and is no plan of a room")
    func texts() throws {
        let folder = Self.temporary()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/sweeps.json"
        try Self.sweeps.text.write(to: URL(fileURLWithPath: path))
        #expect(try PlayedSweeps(contentsOf: path) == Self.sweeps)
        #expect(throws: ResponseError.self) {
            try ResponseMeasurement(takes: [folder + "/look_0.wav"], played: .plan(path: path)).run(
                room: folder + "/room.sofa", head: nil, replaces: { _ in false }, progress: { _ in true })
        }
        let other = String(decoding: Self.sweeps.text, as: UTF8.self).replacing("\"left\"", with: "\"FL\"")
        try Data(other.utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: ResponseError.self) { try PlayedSweeps(contentsOf: path) }
    }
}
