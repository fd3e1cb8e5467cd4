import Foundation
import Inserts
import PluginHost
import Signal
import Testing

/// LV2 plugins of the system. Tests use those that are installed.
enum InstalledPlugins {
    /// Backend of the system's plugins.
    static let backend = LV2Backend()

    /// Returns the description of a plugin in a bundle with this folder name; nil, with a message, if it is not
    /// installed.
    static func find(_ identifier: String, in bundle: String) throws -> PluginDescription? {
        let path = backend.bundles().first { $0.hasSuffix("/" + bundle) }
        guard let path else {
            print("not tested: \(identifier), since \(bundle) is not installed")
            return nil
        }
        let found = try backend.describe(bundle: path).first { $0.identifier == identifier }
        let plugin = try #require(found)
        return plugin
    }
}

/// A plugin instance with buffers, which a test can run.
struct Sounding {
    let instance: any PluginInstance
    let slice: Int
    /// Bundle of the instance, if it was made for the test; removed together with this object.
    private var bundle: TestBundle?

    init(
        _ plugin: PluginDescription, slice: Int = 64, isLive: Bool = true,
        backend: LV2Backend = InstalledPlugins.backend
    ) throws {
        instance = try backend.instantiate(
            plugin, PluginSetup(sampleRate: .studio, slice: slice, isLive: isLive))
        self.slice = slice
    }

    /// Makes an instance of a plugin that was made for the test.
    init(_ bundle: TestBundle, isLive: Bool = true) throws {
        try self.init(bundle.described(), isLive: isLive)
        self.bundle = bundle
    }

    /// Runs the plugin with the same signal on all inputs. Returns the first output, as long as the signal.
    func play(_ signal: [Float], offline: Bool = false) -> [Float] {
        let processor = instance.processor
        var (output, place): ([Float], Int) = ([], 0)
        while place < signal.count {
            let frames = min(slice, signal.count - place)
            for channel in 0..<processor.inputCount {
                for i in 0..<frames { processor.inputs[channel][i] = signal[place + i] }
            }
            processor.process(frames: frames, offline: offline)
            if processor.outputCount > 0 { output += (0..<frames).map { processor.outputs[0][$0] } }
            place += frames
        }
        return output
    }

    /// Runs silence.
    func rest(frames: Int = 64, offline: Bool = false) {
        _ = play([Float](repeating: 0, count: frames), offline: offline)
    }

    /// Runs silence slice by slice, as in live operation, until `holds` returns true, five seconds at most.
    func rest(until holds: () -> Bool) -> Bool {
        for _ in 0..<5_000 {
            if holds() { return true }
            rest(frames: slice)
            usleep(1_000)
        }
        return holds()
    }

    /// An impulse of height 1 and then silence.
    static func impulse(_ frames: Int) -> [Float] { [1] + [Float](repeating: 0, count: frames - 1) }
}
