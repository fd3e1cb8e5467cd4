import CRealtime
import Signal

/// Plugin that is called with whole slices only, however the audio thread divides the stream. The plugin's output is
/// delayed by one slice.
///
/// The state belongs to the audio thread while `processor` is in a chain.
package final class BlockedProcessor: Sendable {
    private struct State {
        let inner: PluginProcessor
        let slice: Int
        let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        /// Frames of the current slice that have been read. As many frames of the previous slice have been output.
        var position = 0

        /// Reads input frames, outputs frames of the previous slice, and runs the plugin when a slice is complete.
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

    /// Wraps a plugin that was made for slices of `slice` frames.
    package init(_ inner: PluginProcessor, slice: Int) {
        inputs = PlanarBlock(channels: inner.inputCount, frames: slice)
        outputs = PlanarBlock(channels: inner.outputCount, frames: slice)
        state = ThreadOwned(
            State(inner: inner, slice: slice, inputs: inputs.pointers, outputs: outputs.pointers))
    }

    deinit { state.deallocate() }

    /// Processor for the audio thread. It is valid as long as this object.
    package var processor: PluginProcessor {
        PluginProcessor(
            run: { context, frames, mode in
                context?.assumingMemoryBound(to: State.self).pointee.run(frames: Int(frames), mode: mode)
            }, restart: { $0?.assumingMemoryBound(to: State.self).pointee.restart() }, context: state.pointer,
            inputs: inputs.pointers, inputCount: inputs.channelCount, outputs: outputs.pointers,
            outputCount: outputs.channelCount, departure: state.pointee.inner.departure)
    }
}
