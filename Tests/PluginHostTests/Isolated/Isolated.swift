import Glibc
import Inserts
import PlantedPlugins
import Signal
import Testing

@testable import PluginHost

/// An instance of a planted plugin in a process of its own, run as if by an audio thread.
final class Isolated {
    let instance: IsolatedInstance
    let slice = 64
    private let period: Int
    /// Number of frames so far, and samples of the first output.
    private(set) var place = 0
    private(set) var heard: [Float] = []
    /// Nanoseconds of each call.
    private(set) var times: [Int] = []

    /// Makes an instance of the plugin with this name, within `seconds`, for periods of `period` frames.
    init(
        _ name: String, in folder: String, period: Int = 64, isLive: Bool = true, seconds: Double = 10
    ) throws {
        self.period = period
        instance = try Self.make(name, in: folder, period: period, isLive: isLive, seconds: seconds)
    }

    deinit { _ = instance.close(within: 1) }

    /// Returns a backend whose plugins run in processes of the program that is built with the test runner.
    static func backend(_ folder: String, seconds: Double = 10) -> IsolatedBackend {
        IsolatedBackend(LV2Backend(searchPath: [folder]), program: Planted.program, seconds: seconds)
    }

    /// Returns the description of a planted plugin.
    static func plugin(_ name: String, in folder: String) throws -> PluginDescription {
        try #require(try LV2Backend(searchPath: [folder]).describe(bundle: "\(folder)/\(name).lv2").first)
    }

    static func make(
        _ name: String, in folder: String, period: Int = 64, isLive: Bool = true, seconds: Double = 10
    ) throws -> IsolatedInstance {
        let made = try backend(folder, seconds: seconds).instantiate(
            plugin(name, in: folder), PluginSetup(sampleRate: .studio, slice: 64, isLive: isLive, period: period))
        return try #require(made as? IsolatedInstance)
    }

    /// Returns the monotonic clock, nanoseconds.
    static func nanoseconds() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }

    /// Returns a sample of a smooth sound that differs at every frame: 100 Hz with a slow second partial.
    static func sound(_ frame: Int) -> Float {
        guard frame >= 0 else { return 0 }
        let seconds = Double(frame) / 48_000
        return Float(0.4 * sin(2 * .pi * 100 * seconds) + 0.1 * sin(2 * .pi * 7.3 * seconds))
    }

    /// Runs one call of the plugin.
    func run(frames: Int, offline: Bool) {
        let processor = instance.processor
        for channel in 0..<processor.inputCount {
            for i in 0..<frames { processor.inputs[channel][i] = Self.sound(place + i) }
        }
        let begin = Self.nanoseconds()
        processor.process(frames: frames, offline: offline)
        times.append(Self.nanoseconds() - begin)
        heard += (0..<frames).map { processor.outputs[0][$0] }
        place += frames
    }

    /// Runs this number of frames offline, in periods.
    func render(_ frames: Int) {
        let end = place + frames
        while place < end {
            let periodEnd = min(end, place + period)
            while place < periodEnd { run(frames: min(slice, periodEnd - place), offline: true) }
        }
    }

    /// Runs for `seconds`, or until `holds` returns true, in real time, a period at a time.
    func play(seconds: Double, until holds: () -> Bool = { false }) {
        let (begin, from) = (Self.nanoseconds(), place)
        while Double(place - from) < seconds * 48_000, !holds() {
            let periodEnd = place + period
            while place < periodEnd { run(frames: min(slice, periodEnd - place), offline: false) }
            let due = Double(place - from) / 48_000 - Double(Self.nanoseconds() - begin) * 1e-9
            if due > 0 { usleep(UInt32(due * 1e6)) }
        }
    }

    /// The greatest step from one sample to the next.
    var greatestStep: Float { zip(heard, heard.dropFirst()).map { abs($1 - $0) }.max() ?? 0 }

    /// Returns whether the output from `start` on is the sound with the plugin's latency.
    func isInTime(from start: Int) -> Bool {
        (start..<heard.count).allSatisfy { heard[$0] == Self.sound($0 - instance.latencyFrames) }
    }
}
