import CJACK
import Synchronization

/// Which inputs are connected, known to the audio thread in the very cycle in which that changes.
///
/// jackd's library answers on the audio thread, without waiting, from the state of the graph by which the cycle runs: a
/// connection that goes and the silence that follows come in the same cycle. PipeWire's library takes a lock for the
/// answer; there the callback for connections asks, and the audio thread is a period or two late.
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
    /// Inputs that a connection came to, or went from, while another stayed.
    private let broken = Atomic<UInt64>(0)
    /// Connections of each input as last seen: the audio thread's where it asks, else the callback's.
    private let counts: UnsafeMutablePointer<Int32>

    /// A watch over `count` inputs before the first cycle.
    init(_ means: Means, count: Int) {
        self.means = means
        counts = .allocate(capacity: max(1, count))
        counts.initialize(repeating: 0, count: max(1, count))
    }

    deinit { counts.deallocate() }

    /// Says of each input that has a port here whether it is connected. One of several connections that comes or goes
    /// breaks their sum off: the input counts as not connected for that one cycle. Audio thread.
    @_noLocks
    func look(_ ports: UnsafePointer<OpaquePointer?>, count: Int, into connected: UnsafeMutablePointer<Bool>) {
        switch means {
        case .off: return
        case .polled:
            for i in 0..<count {
                guard let port = ports[i] else { continue }
                let now = cjack_port_connected(port)
                connected[i] = now > 0 && (now == counts[i] || counts[i] == 0)
                counts[i] = now
            }
        case .told:
            let gone = broken.exchange(0, ordering: .relaxed)
            let bits = known.load(ordering: .acquiring) & ~gone
            for i in 0..<min(count, Self.most) { connected[i] = bits & (1 << UInt64(i)) != 0 }
        }
    }

    /// Asks the server which inputs are connected. The callback's thread.
    func note(_ ports: UnsafePointer<OpaquePointer?>, count: Int) {
        guard case .told = means else { return }
        var (bits, changed): (UInt64, UInt64) = (0, 0)
        for i in 0..<min(count, Self.most) {
            guard let port = ports[i] else { continue }
            let now = jack_port_connected(port)
            if now > 0 { bits |= 1 << UInt64(i) }
            if now > 0, counts[i] > 0, now != counts[i] { changed |= 1 << UInt64(i) }
            counts[i] = now
        }
        _ = broken.bitwiseOr(changed, ordering: .relaxed)
        known.store(bits, ordering: .releasing)
    }
}
