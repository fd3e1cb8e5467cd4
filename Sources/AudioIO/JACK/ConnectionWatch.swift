import CJACK
import Synchronization

/// Finds, for the audio thread, which inputs are connected. With jackd it finds a change in the same cycle.
///
/// jackd's library answers without a lock, from the connections of the present cycle, so the audio thread reads the
/// states itself. It thus notices a removed connection in the first silent cycle. PipeWire's library takes a lock for
/// the answer. With PipeWire the connection callback therefore reads the states, and the audio thread gets them a
/// period or two late.
struct ConnectionWatch: ~Copyable {
    /// Sources of the connection states.
    enum Means {
        /// No source: every input counts as connected.
        case off
        /// The audio thread reads the states.
        case polled
        /// The connection callback reads the states.
        case told
    }

    /// Number of inputs that the callback can track. Further inputs count as connected.
    private static var most: Int { @_noLocks get { 64 } }

    /// Source of the connection states.
    private let means: Means
    /// One bit per input: whether the input is connected, as the callback last read it.
    private let known = Atomic<UInt64>(0)
    /// One bit per input: whether one of several connections of the input was added or removed since the last cycle.
    private let broken = Atomic<UInt64>(0)
    /// Number of connections of each input when they were last read. Used by the audio thread if `polled`, otherwise by
    /// the callback.
    private let counts: UnsafeMutablePointer<Int32>

    /// Makes a watch over `count` inputs before the first cycle.
    init(_ means: Means, count: Int) {
        self.means = means
        counts = .allocate(capacity: max(1, count))
        counts.initialize(repeating: 0, count: max(1, count))
    }

    deinit { counts.deallocate() }

    /// Writes whether each input with a port in `ports` is connected; writes nothing if `off`. If one of several
    /// connections changes, the sum of the signals is discontinuous; the input then counts as not connected for that
    /// cycle. Called on the audio thread.
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

    /// Reads the connection states from libjack if `told`. Must not be called on the audio thread.
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
