import CPluginPeer
import CRealtime
import Signal

/// The plugin alone, without a host: instances created by lilv, ports connected once, and run.
final class LilvContender: Contender {
    let name = "lilv, run alone"
    private let work: PluginWork
    private var instances: [OpaquePointer] = []
    /// Inputs, `[channel]`.
    private let inputs: PlanarBlock
    /// Buffer for plugin outputs without a channel; discarded.
    private let spare: PlanarBlock
    /// Output whose rows the plugin's outputs are connected to.
    private var target: Output?

    init(_ work: PluginWork) throws {
        self.work = work
        inputs = PlanarBlock(channels: work.channels, frames: work.slice)
        spare = PlanarBlock(channels: 1, frames: work.slice)
        prc_flush_denormals()
        for channels in work.routing.inputs {
            instances.append(try LilvContender.make(work))
            for (number, channel) in channels.enumerated() {
                peer_lv2_input(instances[instances.count - 1], UInt32(number), inputs[channel])
            }
        }
    }

    deinit { for instance in instances { peer_lv2_destroy(instance) } }

    /// Returns one instance; `peer_lv2_destroy` frees it.
    static func make(_ work: PluginWork) throws -> OpaquePointer {
        let made = peer_lv2_create(
            work.plugin.bundle + "/", work.plugin.identifier, work.sampleRate.hertz, UInt32(work.slice))
        guard let made else { throw Refusal("lilv makes no instance of \(work.plugin.identifier)") }
        return made
    }

    func step(_ index: Int, into output: Output) {
        if target !== output { connect(output) }
        work.copy(step: index, to: UnsafePointer(inputs.pointers))
        for instance in instances { peer_lv2_run(instance, UInt32(work.slice)) }
    }

    private func connect(_ output: Output) {
        target = output
        for (instance, channels) in zip(instances, work.routing.outputs) {
            for number in 0..<work.plugin.audioOutputs.count {
                let samples = number < channels.count ? output[channels[number]] : spare[0]
                peer_lv2_output(instance, UInt32(number), samples)
            }
        }
    }
}

/// Output of the plugin alone, delayed by some steps.
final class PluginTruth: Truth {
    let name = "the same plugin, other instances, run alone: to the bit, where it says −300 dB"
    private let delay: Int
    /// Samples, `[step][row][frame]`.
    private var results: [[[Double]]] = []

    init(_ work: PluginWork, steps: Int, delay: Int = 0) throws {
        self.delay = delay
        let plugin = try LilvContender(work)
        let output = Output(rows: work.channels, frames: work.slice)
        for step in 0..<steps {
            plugin.step(step, into: output)
            results.append((0..<work.channels).map { row in (0..<work.slice).map { Double(output[row][$0]) } })
        }
    }

    func result(ofStep index: Int, rows: inout [[Double]]) {
        guard index >= delay else { return }
        rows = results[index - delay]
    }
}
