import AbsentPlaces
import Foundation
import Inserts
import PlantedPlugins
import Signal
import SoundFixtures
import Testing
import Waiting

@testable import PluginHost

/// Faults of plugins that harm their process, and must not harm this one.
@Suite struct IsolatedFaultTests {
    @Test(arguments: [
        ("abort", "aborted"), ("endless", "did not answer for 1 s"), ("sleep", "did not answer for 1 s"),
    ])
    func `A plugin that ends or does not return is gone, without a click, and says why`(
        name: String, words: String
    ) throws {
        let isolated = try Isolated(name, in: PlantedPlugins.harmful())
        isolated.play(seconds: 4) { isolated.instance.processor.isGone }
        #expect(isolated.instance.processor.isGone)
        isolated.play(seconds: 0.2)
        #expect(isolated.heard.suffix(4000).allSatisfy { $0 == 0 } && isolated.greatestStep < 0.02)
        let error = #expect(throws: PluginError.self) { try isolated.instance.save(to: AbsentPlace.path()) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(error?.description.contains(PlantedPlugins.uri(name)) == true)
        #expect(isolated.instance.health.log.last?.contains(words) == true)
        // The plugin did not delay the audio thread. The median leaves out delays by a busy machine.
        let sorted = isolated.times.sorted()
        #expect(sorted[sorted.count / 2] < 100_000, "median \(sorted[sorted.count / 2]) ns")
        #expect(isolated.instance.close(within: 1))
    }

    @Test(arguments: 0...5, [true, false])
    func `A plugin that writes over the memory it shares is gone and named, and nothing else happens`(
        mode: Int, isLive: Bool
    ) throws {
        let isolated = try Isolated("scribble", in: PlantedPlugins.harmful(), isLive: isLive)
        try isolated.instance.set("mode", to: Float(mode), within: 0)
        if isLive {
            isolated.play(seconds: 4) { isolated.instance.processor.isGone }
        } else {
            // The plugin's second thread writes when it gets a core.
            #expect(
                comes {
                    isolated.render(6400)
                    return isolated.instance.processor.isGone
                })
        }
        #expect(isolated.instance.processor.isGone)
        let place = isolated.place
        if isLive { isolated.play(seconds: 0.1) } else { isolated.render(4800) }
        #expect(isolated.heard.count == isolated.place && isolated.place > place)
        #expect(isolated.heard.suffix(1000).allSatisfy { $0 == 0 })
        // The end of the plugin is noticed, and its process is ended, within a tenth of a second.
        #expect(comes { !isolated.instance.health.log.isEmpty })
        let error = #expect(throws: PluginError.self) { try isolated.instance.save(to: "/nowhere/at-all") }
        // Random bytes may also mean that the plugin hangs, or may end its process first.
        let words = ["impossible values into"] + (mode == 3 || mode == 4 ? ["did not answer", "process ended"] : [])
        #expect(words.contains { error?.description.contains($0) == true }, "\(String(describing: error))")
        #expect(error?.description.contains(PlantedPlugins.uri("scribble")) == true)
        #expect(isolated.instance.close(within: 1))
    }

    @Test func `A latency that is none is none, and sound goes on`() throws {
        let isolated = try Isolated("scribble", in: PlantedPlugins.harmful(), isLive: false)
        try isolated.instance.set("mode", to: 6, within: 0)
        isolated.render(48_000)
        #expect(!isolated.instance.processor.isGone && isolated.instance.latencyFrames == 64)
        #expect(isolated.isInTime(from: 6400))
    }

    @Test(arguments: [
        ("crash-loading", "making an instance: its process ended: segmentation fault"),
        ("crash-instantiating", "making an instance: its process ended: segmentation fault"),
        ("hang-instantiating", "making an instance: its process did not answer within 2 s"),
        ("unheard-of", "urn:proscenium:planted:feature"),
    ])
    func `A plugin that makes no instance of itself is told, and why`(name: String, words: String) throws {
        let folder = try PlantedPlugins.harmful()
        let error = #expect(throws: PluginError.self) { try Isolated.make(name, in: folder, seconds: 2) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(error?.description.contains(PlantedPlugins.uri(name)) == true)
    }

    @Test func `A crash in another call ends its process alone, and is told by the call`() throws {
        let isolated = try Isolated("crash-saving", in: PlantedPlugins.harmful(), isLive: false)
        isolated.render(640)
        let scratch = try Scratch()
        let error = #expect(throws: PluginError.self) { try isolated.instance.save(to: scratch("state")) }
        #expect(error?.description.contains("saving its state: its process ended: segmentation fault") == true)
        #expect(isolated.instance.processor.isGone && !FileManager.default.fileExists(atPath: scratch("state")))
        isolated.render(640)
    }

    @Test func `Offline, too, a plugin that ends is gone, and the render goes on`() throws {
        let isolated = try Isolated("abort", in: PlantedPlugins.harmful(), isLive: false)
        isolated.render(48_000)
        #expect(isolated.heard.count == 48_000 && isolated.instance.processor.isGone)
        #expect(isolated.heard.suffix(40_000).allSatisfy { $0 == 0 } && isolated.greatestStep < 0.02)
    }

    @Test func `A program that hosts nothing is noticed`() throws {
        let folder = try PlantedPlugins.sound()
        let backend = IsolatedBackend(LV2Backend(searchPath: [folder]), program: "/bin/true", words: [])
        let error = #expect(throws: PluginError.self) {
            try backend.instantiate(Isolated.plugin("gain", in: folder), PluginSetup(sampleRate: .studio))
        }
        #expect(error?.description.contains("ended with status 0") == true, "\(String(describing: error))")
    }

    @Test func `A child ends when its host does`() throws {
        let script = "exec 3</dev/null; (sleep 0.5) | \"$0\" plugin host; echo \"status $?\""
        let begin = Date()
        let (status, lines) = try TimedCommand.run(
            ["/bin/sh", "-c", script, Planted.program], seconds: 20, environment: [:])
        #expect(status == 0 && Date().timeIntervalSince(begin) < 15, "\(lines)")
    }
}
