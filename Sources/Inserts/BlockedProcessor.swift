import CRealtime
import Signal

/// A plugin that is only ever called with whole slices, wherever the audio thread cuts the stream: a slice late.
///
/// The state belongs to the audio thread while `processor` is in a chain.
package final class BlockedProcessor: Sendable {
    private struct State {
        let inner: PluginProcessor
        let slice: Int
        let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        /// Frames of the present slice that came in, and of the last that went out.
        var position = 0

        /// Takes frames in and gives frames of the slice before out, and runs the plugin where a slice is complete.
        mutating func run(frames: Int, mode: Int32) {
            var done = 0
            while done < frames {
                let count = min(frames - done, slice - position)
                for channel in 0..<inner.outputCount {
                    Samples.copy(inner.outputs[channel] + position, to: outputs[channel] + done, count: count)
                }
                for channel in 0..<inner.inputCount {
                    Samples.copy(inputs[channel] + done, to: inner.inputs[channel] + position, count: count)
                }
                position += count
                done += count
                if position == slice {
                    position = 0
                    prc_run_plugin(inner.run, inner.context, UInt32(truncatingIfNeeded: slice), mode)
                }
            }
        }

        mutating func restart() {
            position = 0
            for channel in 0..<inner.outputCount { Samples.clear(inner.outputs[channel], count: slice) }
            prc_restart_plugin(inner.restart, inner.context)
        }
    }

    private let inputs: PlanarBlock
    private let outputs: PlanarBlock
    private let state: ThreadOwned<State>

    /// A buffer around a plugin made for slices of so many frames.
    package init(_ inner: PluginProcessor, slice: Int) {
        inputs = PlanarBlock(channels: inner.inputCount, frames: slice)
        outputs = PlanarBlock(channels: inner.outputCount, frames: slice)
        state = ThreadOwned(
            State(inner: inner, slice: slice, inputs: inputs.pointers, outputs: outputs.pointers))
    }

    deinit { state.deallocate() }

    /// How the audio thread runs it.
    package var processor: PluginProcessor {
        PluginProcessor(
            run: { context, frames, mode in
                context?.assumingMemoryBound(to: State.self).pointee.run(frames: Int(frames), mode: mode)
            }, restart: { $0?.assumingMemoryBound(to: State.self).pointee.restart() }, context: state.pointer,
            inputs: inputs.pointers, inputCount: inputs.channelCount, outputs: outputs.pointers,
            outputCount: outputs.channelCount, departure: state.pointee.inner.departure)
    }
}
