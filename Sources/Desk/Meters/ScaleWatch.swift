import Capture
import Signal
import Soundstage
import Stages
import Synchronization

/// Whether the sound field that comes into a session has the scale that was said, heard by the thread that meters it.
///
/// It listens until it has found another scale, once for each that is said. Cost: 0.3 % of a core at 48 kHz.
package final class ScaleWatch: Sendable {
    /// Frames that it is told of at a time.
    package static let mostFrames = 4096
    /// Seconds between two looks at what was heard.
    private static let lookInterval = 0.25

    private struct State: Sendable {
        var said: AmbisonicFormat
        /// Nil once something was found.
        var scale: FieldScale?
        var found: AmbisonicFormat.Convention?
        /// Frames since the last look.
        var frames = 0
    }

    private let sampleRate: SampleRate
    private let state: Mutex<State>

    /// Has heard nothing yet of a field that is said to be so.
    package init(_ said: AmbisonicFormat, sampleRate: SampleRate) {
        self.sampleRate = sampleRate
        state = Mutex(State(said: said, scale: FieldScale(said.convention, sampleRate: sampleRate)))
    }

    /// Something else may be said of the same channels now: then it begins anew.
    package func expect(_ said: AmbisonicFormat) {
        let scale = FieldScale(said.convention, sampleRate: sampleRate)
        state.withLock { if $0.said != said { $0 = State(said: said, scale: scale) } }
    }

    /// Forgets what was heard: another stream begins.
    package func restart() {
        state.withLock {
            $0 = State(said: $0.said, scale: FieldScale($0.said.convention, sampleRate: sampleRate))
        }
    }

    /// The convention whose scale was heard where that is another than was said, and what was said; nil for all else.
    package var found: (scale: AmbisonicFormat.Convention, said: AmbisonicFormat)? {
        state.withLock { state in state.found.map { ($0, state.said) } }
    }

    /// Hears the block's first frames: W and the three channels that follow it.
    package func hear(_ block: borrowing PlanarBlock, frames: Int) {
        state.withLock { state in
            guard var scale = state.scale else { return }
            // No other reference is held meanwhile: it is not copied.
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
