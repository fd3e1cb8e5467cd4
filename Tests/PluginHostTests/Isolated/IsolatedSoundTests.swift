import Inserts
import PlantedPlugins
import Signal
import Testing

@testable import PluginHost

/// Sound of isolated plugins without faults.
@Suite struct IsolatedSoundTests {
    /// Returns the output of the plugin for the same sound in this process, in calls of the same lengths.
    private func inProcess(_ name: String, frames: Int, period: Int) throws -> [Float] {
        let folder = try PlantedPlugins.sound()
        let instance = try LV2Backend(searchPath: [folder]).instantiate(
            Isolated.plugin(name, in: folder), PluginSetup(sampleRate: .studio, slice: 64, isLive: false))
        defer { #expect(instance.close(within: 1)) }
        let processor = instance.processor
        var (heard, place) = ([Float](), 0)
        while place < frames {
            let count = min(64, period - place % period, frames - place)
            for channel in 0..<processor.inputCount {
                for i in 0..<count { processor.inputs[channel][i] = Isolated.sound(place + i) }
            }
            processor.process(frames: count, offline: true)
            heard += (0..<count).map { processor.outputs[0][$0] }
            place += count
        }
        return heard
    }

    @Test(arguments: ["gain", "filter", "delay", "twelve"], [64, 100, 1024])
    func `Offline it is the sound of this process, later by the period in whole slices, each time`(
        name: String, period: Int
    ) throws {
        let late = (period + 63) / 64 * 64
        let expected = try inProcess(name, frames: 20_000, period: period)
        for _ in 0..<2 {
            let isolated = try Isolated(name, in: PlantedPlugins.sound(), period: period, isLive: false)
            isolated.render(20_000)
            #expect(isolated.heard == [Float](repeating: 0, count: late) + expected.dropLast(late))
            #expect(isolated.instance.latencyFrames == late + (name == "delay" ? 480 : 0))
            #expect(isolated.instance.health.missed == 0)
        }
    }

    @Test func `It begins anew as if just made`() throws {
        let isolated = try Isolated("delay", in: PlantedPlugins.sound(), period: 256, isLive: false)
        isolated.render(5000)
        isolated.instance.processor.restart(isolated.instance.processor.context)
        isolated.render(5000)
        // The planted plugin keeps the content of its delay line. Sound between the processes is discarded.
        #expect(isolated.heard[5000..<5256].allSatisfy { $0 == 0 })
        #expect(isolated.isInTime(from: 5256))
    }

    @Test(arguments: [64, 512])
    func `Live it is the same sound wherever it was there in time`(period: Int) throws {
        let isolated = try Isolated("gain", in: PlantedPlugins.sound(), period: period)
        // A busy machine misses calls; half a second of calls in time suffices.
        isolated.play(seconds: 60) { isolated.times.count - isolated.instance.health.missed >= 375 }
        let wrong = isolated.heard.indices.filter { isolated.heard[$0] != Isolated.sound($0 - period) }
        let missed = isolated.instance.health.missed
        // For each missed call there are at most three wrong slices: the call, and a ramp before and after it.
        #expect(wrong.count <= missed * 3 * 64, "\(wrong.count) frames, \(missed) calls missed")
        #expect(isolated.times.count - missed >= 375, "\(missed) of \(isolated.times.count) missed")
        #expect(!isolated.instance.processor.isGone)
    }

    @Test func `A stop in a plugin costs silence for as long, without a click, and it comes back in time`() throws {
        let isolated = try Isolated("nap", in: PlantedPlugins.harmful(), period: 256)
        try isolated.instance.set("milliseconds", to: 400, within: 0)
        isolated.play(seconds: 1.5)
        let silent = isolated.heard.indices.dropFirst(4000).filter { isolated.heard[$0] == 0 }.count
        #expect(silent > 15_000 && !isolated.instance.processor.isGone, "\(silent) frames of silence")
        #expect(isolated.instance.health.missed > 200)
        // The largest step of the sound is 0.006, that of a ramp 0.5/64.
        #expect(isolated.greatestStep < 0.02, "a step of \(isolated.greatestStep)")
        // Twenty successive calls must be in time, which may take long on a busy machine.
        isolated.play(seconds: 10) { isolated.isInTime(from: isolated.heard.count - 20 * 64) }
        #expect(isolated.isInTime(from: isolated.heard.count - 20 * 64))
    }
}
