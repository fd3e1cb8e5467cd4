import Foundation
import Inserts
import PluginHost
import Signal

/// Work of plugin tests in a separate process, because a plugin may end its process, or the process is killed during
/// the work.
///
///     plugin-fixture save BUNDLE IDENTIFIER FOLDER   saves states into the folder without end
///     plugin-fixture try BUNDLE IDENTIFIER FOLDER    runs a plugin for a second, saves, restores, and closes it
@main
struct PluginFixture {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 4, let mode = words.first else { return fail("words: save|try BUNDLE IDENTIFIER FOLDER") }
        let (bundle, identifier, folder) = (words[2], words[3], words[4])
        let backend = LV2Backend()
        guard let plugin = try backend.describe(bundle: bundle).first(where: { $0.identifier == identifier }) else {
            return fail("\(bundle) has no \(identifier)")
        }
        let setup = PluginSetup(sampleRate: .studio, isFixed: plugin.needsFixedBlocks, isLive: mode == "save")
        do {
            let instance = try backend.instantiate(plugin, setup)
            if mode == "save" { try save(instance, folder) } else { try check(instance, folder) }
        } catch { fail("\(error)") }
    }

    /// Saves states until the process is killed. The n-th state has the value n of the first control.
    private static func save(_ instance: any PluginInstance, _ folder: String) throws {
        let control = instance.plugin.controls[0]
        for number in 0... {
            let place = Float(number % 100) / 100
            let value = control.range.lowerBound + place * (control.range.upperBound - control.range.lowerBound)
            try instance.set(control.symbol, to: value, within: 0)
            try instance.save(to: folder)
            try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
        }
    }

    /// Runs a second of noise, saves and restores the state, runs another tenth of a second, and closes the instance.
    private static func check(_ instance: any PluginInstance, _ folder: String) throws {
        run(instance, slices: 750)
        let controls = instance.controls()
        try instance.save(to: folder)
        try instance.restore(from: folder)
        // Controls reach the restored values within a fiftieth of a second.
        run(instance, slices: 75)
        if instance.controls() != controls { fail("its controls do not come back") }
        if !instance.close(within: 5) { fail("its worker does not return") }
        print("closed")
    }

    private static func run(_ instance: any PluginInstance, slices: Int) {
        let processor = instance.processor
        var seed: UInt32 = 1
        for _ in 0..<slices {
            for channel in 0..<processor.inputCount {
                for i in 0..<64 {
                    seed = seed &* 1_664_525 &+ 1_013_904_223
                    processor.inputs[channel][i] = (Float(seed >> 8) / 8_388_608 - 1) / 4
                }
            }
            processor.process(frames: 64, offline: true)
        }
    }

    private static func fail(_ words: String) {
        print(words)
        exit(1)
    }
}
