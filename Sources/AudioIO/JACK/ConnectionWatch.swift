import CJACK
import Synchronization

/// Which inputs are connected, known to the audio thread in the very cycle in which that changes.
///
/// jackd's library answers on the audio thread, without waiting, from the state of the graph by which the cycle runs: a
/// connection that goes and the silence that follows come in the same cycle. PipeWire's library takes a lock for the answer;
/// there the callback for connections asks, and the audio thread is a period or two late.
struct ConnectionWatch: ~Copyable {
    /// How it is found out.
    enum Means {
        /// Not at all: every input counts as connected.
        case off
        /// The audio thread asks.
        case polled
        /// The callback for connections asks.
        case told
    }

    /// Inputs the callback can tell of; later ones count as connected.
    private static var most: Int { @_noLocks get { 64 } }

    private let means: Means
    private let known = Atomic<UInt64>(0)

    /// A watch before the first cycle.
    init(_ means: Means) { self.means = means }

    /// Says of each input whether it is connected. Audio thread.
    @_noLocks
    func look(_ ports: UnsafePointer<OpaquePointer>, count: Int, into connected: UnsafeMutablePointer<Bool>) {
        switch means {
        case .off: return
        case .polled: for i in 0..<count { connected[i] = cjack_port_connected(ports[i]) > 0 }
        case .told:
            let bits = known.load(ordering: .acquiring)
            for i in 0..<min(count, Self.most) { connected[i] = bits & (1 << UInt64(i)) != 0 }
        }
    }

    /// Asks the server which inputs are connected. The callback's thread.
    func note(_ ports: UnsafePointer<OpaquePointer>, count: Int) {
        guard case .told = means else { return }
        var bits: UInt64 = 0
        for i in 0..<min(count, Self.most) where jack_port_connected(ports[i]) > 0 { bits |= 1 << UInt64(i) }
        known.store(bits, ordering: .releasing)
    }
}
