import Inserts
import Signal

/// A plugin of one channel or more that delays, amplifies, and shows a fault from a given frame on.
package final class FakePlugin: @unchecked Sendable {
    /// Fault of the plugin from a given frame on.
    package enum Fault: Sendable { case none, notANumber, growing, stalling }
    /// State that the audio thread uses.
    package struct State {
        var inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        var ring: UnsafeMutablePointer<Float>
        var channels: Int
        var delay: Int
        var gain: Float
        /// Count of frames processed.
        package var frame = 0
        var fault: Fault
        var faultAt: Int
        /// Count of runs.
        package var runs = 0
        /// Count of runs in which the plugin's requests had to wait.
        package var deafRuns = 0
    }
    private let input: PlanarBlock
    private let output: PlanarBlock
    /// State of the plugin.
    package let state: UnsafeMutablePointer<State>

    /// Creates a plugin with `channels` inputs and outputs.
    package init(channels: Int = 1, delay: Int = 0, gain: Float = 1, fault: Fault = .none, at frame: Int = 0) {
        input = PlanarBlock(channels: channels, frames: 64)
        output = PlanarBlock(channels: channels, frames: 64)
        state = .allocate(capacity: 1)
        let ring = UnsafeMutablePointer<Float>.allocate(capacity: channels * (delay + 1))
        ring.initialize(repeating: 0, count: channels * (delay + 1))
        state.initialize(
            to: State(
                inputs: input.pointers, outputs: output.pointers, ring: ring, channels: channels, delay: delay,
                gain: gain, fault: fault, faultAt: frame))
    }

    deinit {
        state.pointee.ring.deallocate()
        state.deallocate()
    }

    /// Processor that the audio thread runs.
    package var processor: PluginProcessor {
        PluginProcessor(
            run: { context, frames, mode in
                guard let state = context?.assumingMemoryBound(to: State.self) else { return }
                state.pointee.runs += 1
                if PluginProcessor.isDeaf(mode) { state.pointee.deafRuns += 1 }
                for i in 0..<Int(frames) {
                    for channel in 0..<state.pointee.channels {
                        let ring = state.pointee.ring + channel * (state.pointee.delay + 1)
                        let size = state.pointee.delay + 1
                        ring[state.pointee.frame % size] = state.pointee.inputs[channel][i] * state.pointee.gain
                        var value = ring[(state.pointee.frame + 1) % size]
                        if state.pointee.frame >= state.pointee.faultAt {
                            switch state.pointee.fault {
                            case .none: break
                            case .notANumber: value = .nan
                            case .growing: value = 1e5
                            case .stalling:
                                let until = ContinuousClock.now + .milliseconds(250)
                                while ContinuousClock.now < until {}
                                state.pointee.fault = .none
                            }
                        }
                        state.pointee.outputs[channel][i] = value
                    }
                    state.pointee.frame += 1
                }
            },
            restart: { context in
                guard let state = context?.assumingMemoryBound(to: State.self) else { return }
                state.pointee.frame = 0
                let count = state.pointee.channels * (state.pointee.delay + 1)
                for i in 0..<count { state.pointee.ring[i] = 0 }
            }, context: state, inputs: input.pointers, inputCount: input.channelCount, outputs: output.pointers,
            outputCount: output.channelCount)
    }

    /// Returns an insert member for `channels` channels, made of one instance.
    package func member(channels: Int) -> InsertMember {
        guard let routing = InsertRouting(channels: channels, pluginInputs: channels, pluginOutputs: channels) else {
            preconditionFailure("a fake plugin has the channels of its place")
        }
        return InsertMember(
            [processor], routing: routing, latency: state.pointee.delay, sampleRate: .studio, slice: 64,
            keeping: [self])
    }

    /// Returns a request for that insert.
    package func request(channels: Int = 1, isBypassed: Bool = false) -> InsertRequest {
        InsertRequest(member(channels: channels), isBypassed: isBypassed, latency: state.pointee.delay)
    }
}
