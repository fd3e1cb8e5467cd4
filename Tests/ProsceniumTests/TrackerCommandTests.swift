import Foundation
import SoundFixtures
import Testing

/// Runs the program with a simulated tracker on a pseudo-terminal.
private final class Beside: @unchecked Sendable {
    // @unchecked is safe: the members are constants, and one test uses the object.
    private let terminal = PseudoTerminal()
    var path: String { terminal.path }
    private let process = Process()
    private let out = Pipe()
    private let state: String

    init() {
        state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: state) }

    /// Content of the memory of trackers.
    var memory: String {
        (try? String(contentsOfFile: state + "/proscenium/trackers.json", encoding: .utf8)) ?? ""
    }

    /// Runs the program. `say` gets the program's messages so far and the number of the row, and returns a row of the
    /// tracker, 100 times a second.
    func run(_ arguments: String..., say: (String, Int) -> String) throws -> (
        status: Int32, output: String, said: String
    ) {
        process.executableURL = Run.program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["XDG_STATE_HOME": state]) { $1 }
        // The messages go to a file, because Foundation closes a pipe with a handler while the system still watches it.
        let scratch = try Scratch()
        let log = scratch("said")
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        func said() -> String { String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self) }
        process.standardOutput = out
        let saying = try #require(FileHandle(forWritingAtPath: log))
        process.standardError = saying
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var index = 0
        while process.isRunning, index < 12_000 {
            terminal.say(say(said(), index))
            index += 1
            usleep(10_000)
        }
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        let output = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return (process.terminationStatus, output, said())
    }
}

/// Rows of an IMU fastened upright (its x up, its z to the back), on a head that follows the wizard's prompts.
private struct Wearer {
    /// Axis of each turn in the tracker's axes: a turn to the left is about x, looking up is about −y (as in the head's
    /// axes), and tilting to the right is about −z.
    private static let axes: [String: (SIMD3<Double>, String)] = [
        "2/4": (SIMD3(1, 0, 0), "left"), "3/4": (SIMD3(0, -1, 0), "up"), "4/4": (SIMD3(0, 0, -1), "right"),
    ]
    var moves = true
    private var step = ""
    private var since = 0
    private var count = 0

    init(moves: Bool = true) { self.moves = moves }

    mutating func row(_ words: String, _ index: Int) -> String {
        let now = String(words.split(separator: "\n").last { $0.contains("/4: ") }?.prefix(3) ?? "")
        if now != step { (step, since) = (now, index) }
        var rate = SIMD3<Double>(0.01, -0.02, 0.005)
        // The head turns by 40° in 0.4 s, and back in 0.4 s, by the times in the rows, even if these are sent late.
        let phase = index - since
        if moves, let (axis, _) = Self.axes[step], (20..<100).contains(phase) {
            rate += axis * (phase < 60 ? 1 : -1) * (40 * .pi / 180 / 0.4)
        }
        count += 1
        // At rest the rows have true times: on a busy machine fewer rows are sent, and a slow clock would not be
        // trusted.
        let stamp = moves ? UInt64(count) * 10_000_000 : DispatchTime.now().uptimeNanoseconds
        return "imu,\(count),\(stamp),\(rate.x),\(rate.y),\(rate.z),9.81,0,0\n"
    }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct TrackerCommandTests {
    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func aTrackerIsProbed() throws {
        let beside = Beside()
        var wearer = Wearer(moves: false)
        let run = try beside.run("tracker", "probe", "serial:\(beside.path)", "--seconds", "4", "--json") {
            wearer.row($0, $1)
        }
        #expect(run.status == 0, "\(run.said)")
        let answer = try object(run.output)
        #expect(answer["format"] as? String == "lines")
        #expect(answer["clock"] as? String == "sender")
        #expect(answer["inertial"] as? Bool == true)
        #expect(answer["received"] as? Int ?? 0 > 50)
        let bias = try #require(answer["biasDegreesPerSecond"] as? [Double])
        #expect(abs(bias[0] - 0.01 * 180 / .pi) < 0.01 && abs(bias[1] + 0.02 * 180 / .pi) < 0.01)
    }

    @Test func silenceIsTold() throws {
        let beside = Beside()
        let run = try beside.run("tracker", "probe", "serial:\(beside.path),lines", "--seconds", "0.5") { _, _ in "" }
        #expect(run.status == 3)
        #expect(run.said.contains("no data arrived from serial:\(beside.path),lines"))
        let port = Ports.free()
        let garbled = try Beside().run("tracker", "probe", "opentrack:\(port)", "--seconds", "0.3") { _, _ in "" }
        #expect(garbled.status == 3 && garbled.said.contains("no data arrived on 127.0.0.1 port \(port)"))
        let unknown = try Beside().run("tracker", "probe", "serial:auto,morse") { _, _ in "" }
        #expect(
            unknown.status == 2 && unknown.said.contains("'morse' is not a format for serial:; its formats are auto, "))
    }

    @Test func theWizardFindsMountingAndBias() throws {
        let beside = Beside()
        var wearer = Wearer()
        let run = try beside.run(
            "tracker", "calibrate", "serial:\(beside.path),lines,id=hat", "--yes", "--seconds", "3", "--json"
        ) { wearer.row($0, $1) }
        #expect(run.status == 0, "\(run.said)")
        let answer = try object(run.output)
        // Portrait is a quarter turn that points x up and z to the back.
        let angles = try #require(answer["yawPitchRoll"] as? [Double])
        #expect(abs(angles[1] - 90) < 5, "\(angles)")
        let bias = try #require(answer["biasDegreesPerSecond"] as? [Double])
        #expect(abs(bias[0] - 0.01 * 180 / .pi) < 0.02)
        #expect(beside.memory.contains("\"hat\""))
        #expect(beside.memory.contains("mounting"))
    }

    @Test func theWizardRefusesNonsense() throws {
        let beside = Beside()
        var wearer = Wearer(moves: false)
        let run = try beside.run("tracker", "calibrate", "serial:\(beside.path),lines", "--yes", "--seconds", "0.7") {
            wearer.row($0, $1)
        }
        #expect(run.status == 1)
        #expect(run.said.contains("the head turned by only"))
        #expect(beside.memory.isEmpty)
    }

    /// One program follows the tracker; another one receives the poses that it sends.
    @Test func aTrackerIsShared() throws {
        let port = Ports.free()
        let listener = Process()
        listener.executableURL = Run.program
        listener.arguments = ["tracker", "probe", "osc:\(port)", "--seconds", "5", "--json"]
        let heard = Pipe()
        listener.standardOutput = heard
        listener.standardError = FileHandle.nullDevice
        try listener.run()
        let beside = Beside()
        let run = try beside.run(
            "track", "--head", "serial:\(beside.path),lines", "--format", "ndjson", "--seconds", "6", "--broadcast",
            "\(port),/SceneRotator/quaternions"
        ) { _, index in "quat,\(index),,0.9659258,0,0,0.2588190\n" }
        #expect(run.status == 0, "\(run.said)")
        let answer = try object(
            String(decoding: heard.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
        listener.waitUntilExit()
        #expect(listener.terminationStatus == 0)
        #expect(answer["received"] as? Int ?? 0 > 50)
        #expect(answer["orientation"] as? Bool == true)
        #expect((answer["dropped"] as? [String: Int])?.isEmpty == true)
    }

    @Test func theListNamesEveryFormat() throws {
        let run = try Beside().run("tracker", "list", "--json") { _, _ in "" }
        #expect(run.status == 0)
        let answer = try object(run.output)
        let names = (answer["formats"] as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
        for name in ["osc", "opentrack", "ximu3", "slimevr", "razor", "supperware", "android", "auto"] {
            #expect(names.contains(name), "\(name)")
        }
        let text = try Beside().run("tracker", "list") { _, _ in "" }
        #expect(text.output.contains("serial:PATH[,FORMAT[,BAUD]]"))
    }
}
