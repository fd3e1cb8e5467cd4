import Signal
import Synchronization

@testable import AudioIO

/// Counterpart of `JACKCapture` in memory. Sound, connections and time are set by calls.
///
/// `push` runs on one thread and `take` on one thread, as `CaptureTap` requires. A lock guards all other state.
package final class MemoryCapture: CaptureInputs {
    private struct State {
        var sources: [CaptureSource] = []
        /// `[bank][input]`: connected source; nil without a connection.
        var connections: [[String?]]
        var isGone = false
        var clock: UInt32 = 0
    }

    package let name = "memory"
    package let sampleRate: SampleRate
    package let channelCount: Int
    private let tap: ThreadOwned<CaptureTap>
    private let state: Mutex<State>

    /// Makes inputs that are not connected.
    package init(channels: Int, sampleRate: SampleRate) {
        self.sampleRate = sampleRate
        channelCount = channels
        tap = ThreadOwned(CaptureTap(channels: 2 * channels, seconds: 5, sampleRate: sampleRate.hertz))
        let none = [String?](repeating: nil, count: channels)
        state = Mutex(State(connections: [none, none]))
    }

    deinit {
        tap.deallocate()
    }

    /// Runs one live cycle of up to 8192 frames. `sound` returns the samples of a connected source that begin at a
    /// frame of the clock. `skipping` is the number of frames that the server skips before the cycle.
    package func cycle(_ frames: Int, skipping: Int = 0, sound: (String, Int) -> [Float]) {
        let (connections, clock) = state.withLock { state in
            state.clock &+= UInt32(skipping)
            defer { state.clock &+= UInt32(frames) }
            return (state.connections, state.clock)
        }
        let block = PlanarBlock(channels: 2 * channelCount, frames: frames)
        for bank in 0..<2 {
            for (input, source) in connections[bank].enumerated() {
                guard let source else { continue }
                let row = block[bank * channelCount + input]
                for (i, sample) in sound(source, Int(clock)).prefix(frames).enumerated() { row[i] = sample }
            }
        }
        tap.pointee.push(block.pointers, frames: frames, clock: clock, live: true)
    }

    /// Replaces the sources. Connections to sources that are missing now are removed.
    package func offer(_ sources: [CaptureSource]) {
        state.withLock { state in
            state.sources = sources
            let names = Set(sources.map(\.port))
            for bank in 0..<2 {
                for input in state.connections[bank].indices {
                    if let source = state.connections[bank][input], !names.contains(source) {
                        state.connections[bank][input] = nil
                    }
                }
            }
        }
    }

    /// Simulates the loss of the server.
    package func go() { state.withLock { $0.isGone = true } }

    package var lostFrames: Int { tap.pointee.lostFrames.load(ordering: .relaxed) }
    package var serverIsGone: Bool { state.withLock { $0.isGone } }
    package var waitingFrames: Int { tap.pointee.waiting }

    package func take(into block: borrowing PlanarBlock, limit: Int) -> Int {
        tap.pointee.take(into: block, limit: limit)
    }

    /// Here the frame follows from the time alone.
    package func frame(at seconds: Double) -> Int? { Int((seconds * sampleRate.hertz).rounded()) }

    package func sources() -> [CaptureSource] { state.withLock { $0.sources } }

    package func sources(named pattern: String) -> [String] {
        let wanted = JACKConnections.alternatives(pattern)
        let names = sources().map(\.port)
        return wanted.filter(names.contains)
    }

    package func connect(bank: Int, input: Int, to source: String?) throws(JACKError) {
        let isThere = state.withLock { state in
            guard !state.isGone, source == nil || state.sources.contains(where: { $0.port == source }) else {
                return false
            }
            state.connections[bank][input] = source
            return true
        }
        guard isThere else { throw .notConnected(from: source ?? "", to: "\(bank):\(input)", code: 1) }
    }

    package func isConnected(bank: Int, input: Int, to source: String?) -> Bool {
        state.withLock { state in
            let heard = state.connections[bank][input]
            return source == nil ? heard != nil : heard == source
        }
    }

    package func close() -> Bool { true }
}
