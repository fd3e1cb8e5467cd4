import Foundation
import Geometry
import SoundFixtures
import Testing

@testable import IMU

@Suite struct TrackerMemoryTests {
    private let bias = GyroscopeBias(
        value: SIMD3(0.01, -0.02, 0.003), deviation: SIMD3(repeating: 0.0005))

    @Test func whatIsRememberedIsReadBackExactly() throws {
        let folder = TemporaryFolder()
        let memory = TrackerMemory(path: folder("state/trackers.json"))
        #expect(memory.entry(for: "a") == nil)
        let q = Quaternion(yaw: 1, pitch: 0.2, roll: -0.3)
        try memory.update("a") { $0.mounting = [q.w, q.x, q.y, q.z] }
        try memory.update("b") { $0.bias = TrackerMemory.Bias(bias, measured: 1000) }
        try memory.update("a") { $0.bias = TrackerMemory.Bias(bias, measured: 2000) }
        let again = TrackerMemory(path: memory.path)
        #expect(again.entry(for: "a")?.rotation?.quaternion.angle(to: q) ?? 1 < 1e-12)
        #expect(again.entry(for: "a")?.bias?.measured == 2000)
        #expect(again.entry(for: "b")?.mounting == nil)
        #expect(again.entry(for: "b")?.bias?.prior(at: 1000).value == bias.value)
    }

    /// σ² = σ₀² + σᵣ² + (σ∞² − σᵣ²)(1 − e^(−age/τ)).
    @Test func aMemoryIsTrustedLessAndLess() {
        let remembered = TrackerMemory.Bias(bias, measured: 0)
        func degrees(_ age: Double) -> Double { remembered.prior(at: age).deviation.x * 180 / .pi }
        let first = 0.0005 * 180 / .pi
        #expect(abs(degrees(0) - (first * first + 0.02 * 0.02).squareRoot()) < 1e-9)
        #expect(abs(degrees(86_400 * 100) - (first * first + 0.5 * 0.5).squareRoot()) < 1e-6)
        let day = first * first + 0.02 * 0.02 + (0.25 - 0.0004) * (1 - exp(-1))
        #expect(abs(degrees(86_400) - day.squareRoot()) < 1e-9)
        // A clock that was set back does not reduce the deviation.
        #expect(degrees(-5000) == degrees(0))
        #expect(zip([0.0, 60, 3600, 86_400], [60.0, 3600, 86_400, 1e7]).allSatisfy { degrees($0) < degrees($1) })
    }

    @Test(arguments: [
        "not json", "{\"version\":2,\"trackers\":{}}", "{\"version\":1,\"trackers\":{\"a\":{\"mounting\":[1,1,1,1]}}}",
        "{\"version\":1,\"trackers\":{\"a\":{\"bias\":{\"radiansPerSecond\":[1],\"deviation\":[1],\"measured\":0}}}}",
    ])
    func whatCannotBeUnderstoodIsKeptAside(text: String) throws {
        let folder = TemporaryFolder()
        let memory = TrackerMemory(path: folder("trackers.json"))
        try text.write(toFile: memory.path, atomically: true, encoding: .utf8)
        var complaints: [String] = []
        #expect(memory.entry(for: "a") { complaints.append($0) } == nil)
        #expect(complaints.count == 1 && complaints[0].contains(memory.path + ".unreadable"))
        #expect(try String(contentsOfFile: memory.path + ".unreadable", encoding: .utf8) == text)
        try memory.update("a") { $0.bias = TrackerMemory.Bias(bias, measured: 0) }
        #expect(memory.entry(for: "a") != nil)
    }

    /// A folder at the file's path cannot be read by root either.
    @Test func whatCannotBeReadStaysInItsPlace() throws {
        let folder = TemporaryFolder()
        let memory = TrackerMemory(path: folder("trackers.json"))
        try FileManager.default.createDirectory(atPath: memory.path, withIntermediateDirectories: true)
        var complaints: [String] = []
        #expect(memory.entries { complaints.append($0) }.isEmpty)
        #expect(complaints.count == 1 && complaints[0].hasPrefix("cannot read \(memory.path): "))
        #expect(throws: TrackerError.self) { try memory.update("a") { $0.mounting = [1, 0, 0, 0] } }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["trackers.json"])
    }

    @Test func aPlaceThatCannotBeWrittenIsNamed() {
        // A file at the folder's path prevents root from writing, too.
        let folder = TemporaryFolder()
        #expect(FileManager.default.createFile(atPath: folder("file"), contents: nil))
        #expect(throws: TrackerError.self) {
            try TrackerMemory(path: folder("file") + "/trackers.json").update("a") { _ in }
        }
    }

    /// A remembered mounting and bias reach the listener, in the axes of the samples.
    @Test func aTrackerIsRecognised() async throws {
        let folder = TemporaryFolder()
        let memory = TrackerMemory(path: folder("trackers.json"))
        let mounting = Mounting.attitude(.portrait).rotation.quaternion
        try memory.update("mine") {
            $0.mounting = [mounting.w, mounting.x, mounting.y, mounting.z]
            $0.bias = TrackerMemory.Bias(bias, measured: Date().timeIntervalSince1970)
        }
        let line = PseudoTerminal()
        let (gathered, known) = (Gathered(), Recognitions())
        let inlet = TrackerInlet(
            try .parse("serial:\(line.path),lines,id=mine"), clock: monotonicSeconds, memory: memory,
            recognise: { known.add($0) }
        ) { gathered.add($0) }
        try await inlet.start()
        #expect(try await eventually({ line.say("imu,,,0,0,0,9.81,0,0\n") }, { gathered.all.count > 3 }))
        let recognised = known.all
        #expect(recognised.map(\.id) == ["mine"])
        #expect(Self.isTurned(recognised.first?.bias, bias, by: mounting))
        #expect(gathered.lastForceIsNear((0, 0, 9.81)))
        try inlet.remember(bias: GyroscopeBias(value: SIMD3(0, 0, 1), deviation: bias.deviation), at: 5)
        let stored = memory.entry(for: "mine")?.bias?.radiansPerSecond ?? [0, 0, 0]
        #expect(zip(stored, [1, 0, 0]).allSatisfy { abs($0 - $1) < 1e-12 })
        await inlet.stop()
    }

    /// The samples are inverted after the mounting, and so is a bias. It is stored as the tracker measures it.
    @Test func aBiasIsInvertedWithTheSamples() throws {
        let folder = TemporaryFolder()
        let memory = TrackerMemory(path: folder("trackers.json"))
        let inlet = TrackerInlet(
            try .parse("serial:/dev/null,lines,id=mine,invert=yaw"), clock: monotonicSeconds, memory: memory
        ) { _ in }
        let mounting = Mounting.attitude(.portrait).rotation
        let inSamples = mounting.quaternion.rotate(bias.value) * SIMD3(1, 1, -1)
        let calibrated = try inlet.remount(
            MountingCalibration.Result(mounting: mounting, bias: bias, misfit: 0, turns: [:]), at: 5)
        #expect(near(calibrated?.value, inSamples, within: 1e-12))
        try inlet.remember(bias: GyroscopeBias(value: inSamples, deviation: bias.deviation), at: 6)
        let stored = try #require(memory.entry(for: "mine")?.bias)
        #expect(stored.measured == 6 && near(stored.prior(at: 6).value, bias.value, within: 1e-12))
    }

    private static func isTurned(_ found: GyroscopeBias?, _ own: GyroscopeBias, by mounting: Quaternion) -> Bool {
        near(found?.value, mounting.rotate(own.value), within: 1e-12)
    }
}
