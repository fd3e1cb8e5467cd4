import Signal
import Soundstage
import Synchronization

/// Detects whether a session's sound field has the declared scale (normalisation of its components). It runs on the
/// thread of the meters.
///
/// After it has found a different scale, it stops until another format is declared or a new stream starts. Cost: 0.3 %
/// of a core at 48 kHz.
package final class ScaleWatch: Sendable {
    /// Greatest count of frames per call of `hear`.
    package static let mostFrames = 4096
    /// Sound between two evaluations, seconds.
    private static let lookInterval = 0.25

    private struct State: Sendable {
        var said: AmbisonicFormat
        /// Nil once a different scale was found.
        var scale: FieldScale?
        var found: AmbisonicFormat.Convention?
        /// Frames since the last evaluation.
        var frames = 0
    }

    private let sampleRate: SampleRate
    private let state: Mutex<State>

    /// Creates a watch for a field of the declared format.
    package init(_ said: AmbisonicFormat, sampleRate: SampleRate) {
        self.sampleRate = sampleRate
        state = Mutex(State(said: said, scale: FieldScale(said.convention, sampleRate: sampleRate)))
    }

    /// Sets the declared format. Restarts the detection if the format has changed.
    package func expect(_ said: AmbisonicFormat) {
        let scale = FieldScale(said.convention, sampleRate: sampleRate)
        state.withLock { if $0.said != said { $0 = State(said: said, scale: scale) } }
    }

    /// Restarts the detection for a new stream.
    package func restart() {
        state.withLock {
            $0 = State(said: $0.said, scale: FieldScale($0.said.convention, sampleRate: sampleRate))
        }
    }

    /// The detected convention and the declared format if they differ; nil otherwise.
    package var found: (scale: AmbisonicFormat.Convention, said: AmbisonicFormat)? {
        state.withLock { state in state.found.map { ($0, state.said) } }
    }

    /// Analyses W and the three channels after it in the first `frames` frames of a block.
    package func hear(_ block: borrowing PlanarBlock, frames: Int) {
        state.withLock { state in
            guard var scale = state.scale else { return }
            // Without this reference to its arrays, `scale` can be changed without a copy of them.
            state.scale = nil
            scale.process(block, frames: frames)
            state.frames += frames
            if sampleRate.seconds(frames: state.frames) >= Self.lookInterval {
                state.frames = 0
                state.found = scale.found(order: state.said.order)
            }
            if state.found == nil { state.scale = scale }
        }
    }
}
