import CJACK
import CRealtime
import Signal
import Synchronization

/// Data that a relay's callbacks and the stage share: latencies, and the sound of the last periods. Each stored period
/// is identified by the clock frame at which it started.
///
/// The callbacks of one client never call libjack about the other client's ports. PipeWire's library holds a client's
/// lock in its callbacks, so two such calls would deadlock.
struct JACKRelayContext: ~Copyable {
    /// Most inputs of a relay.
    static var mostRows: Int { @_noLocks get { 64 } }
    /// Number of stored periods. The stage reads the last one while the next one is written.
    private static var slots: Int { @_noLocks get { 4 } }
    /// Longest period, frames.
    private static var longest: Int { @_noLocks get { StageCycle.maximumFrames } }

    /// State of an input.
    private struct Row: ~Copyable {
        /// Address of the port; 0 without a port.
        let port = Atomic<UInt>(0)
        /// Capture latency of the input's connections; `unknown` without connections.
        let capture = Atomic<UInt64>(JACKRelayContext.unknown)
        /// Playback latency, as the stage has set it.
        let playback = Atomic<UInt64>(0)
    }

    /// A stored period.
    private struct Slot: ~Copyable {
        /// Bit 63: the period is complete. Bits 32…62: number of frames. Bits 0…31: clock of the first frame.
        let mark = Atomic<UInt64>(0)
        /// One bit per row: whether the input was connected.
        var connected: UInt64 = 0
    }

    let client: OpaquePointer
    private let isPipeWire: Bool
    /// Notes for the stage's supervisor. They are set before activation.
    var notes: UnsafeMutablePointer<JACKNotes>?
    private let rows: UnsafeMutablePointer<Row>
    /// Number of rows that may have a port.
    private let rowCount = Atomic<Int>(0)
    private let watch: ConnectionWatch
    /// `[row]`: port in the present cycle; nil without a port.
    private let present: UnsafeMutablePointer<OpaquePointer?>
    /// `[row]`: whether the port is connected, from `watch`.
    private let connected: UnsafeMutablePointer<Bool>
    private let slots: UnsafeMutablePointer<Slot>
    /// `[slot][row][frame]`: the stored sound.
    private let sound: UnsafeMutablePointer<Float>
    /// Slot in which the next period is stored.
    private var next = 0
    /// Number of completed cycles.
    let cycles = Atomic<Int>(0)
    /// Silence, which replaces a missing period.
    let silence: UnsafeMutablePointer<Float>

    init(client: OpaquePointer, isPipeWire: Bool) {
        self.client = client
        self.isPipeWire = isPipeWire
        rows = .allocate(capacity: Self.mostRows)
        for row in 0..<Self.mostRows { (rows + row).initialize(to: Row()) }
        watch = ConnectionWatch(isPipeWire ? .told : .polled, count: Self.mostRows)
        present = .allocate(capacity: Self.mostRows)
        present.initialize(repeating: nil, count: Self.mostRows)
        connected = .allocate(capacity: Self.mostRows)
        connected.initialize(repeating: false, count: Self.mostRows)
        slots = .allocate(capacity: Self.slots)
        for slot in 0..<Self.slots { (slots + slot).initialize(to: Slot()) }
        // Pages of unused rows are never touched, and need no memory.
        sound = .allocate(capacity: Self.slots * Self.mostRows * Self.longest)
        silence = .allocate(capacity: Self.longest)
        silence.initialize(repeating: 0, count: Self.longest)
    }

    deinit {
        rows.deinitialize(count: Self.mostRows)
        rows.deallocate()
        present.deallocate()
        connected.deallocate()
        slots.deinitialize(count: Self.slots)
        slots.deallocate()
        sound.deallocate()
        silence.deallocate()
    }

    /// Assigns a port to a row from the next cycle on, or removes it if `port` is nil. May be called on any thread
    /// except the audio threads.
    func use(_ row: Int, _ port: OpaquePointer?) {
        if port != nil {
            for slot in 0..<Self.slots { self.row(row, of: slot).initialize(repeating: 0, count: Self.longest) }
            rowCount.store(max(rowCount.load(ordering: .relaxed), row + 1), ordering: .relaxed)
        }
        rows[row].capture.store(Self.unknown, ordering: .relaxed)
        rows[row].port.store(UInt(bitPattern: port), ordering: .releasing)
    }

    @_noLocks
    private func port(_ row: Int) -> OpaquePointer? {
        OpaquePointer(bitPattern: rows[row].port.load(ordering: .acquiring))
    }

    @_noLocks
    private func row(_ row: Int, of slot: Int) -> UnsafeMutablePointer<Float> {
        sound + (slot * Self.mostRows + row) * Self.longest
    }

    /// Stores one period, unless it is longer than `longest`. Called on the relay's audio thread.
    @_noLocks
    mutating func process(_ frames: Int) {
        guard frames > 0 && frames <= Self.longest else { return }
        let (slot, first) = (next, cjack_last_frame_time(client))
        next = (next + 1) % Self.slots
        slots[slot].mark.store(0, ordering: .sequentiallyConsistent)
        let count = rowCount.load(ordering: .relaxed)
        for row in 0..<count { present[row] = port(row) }
        watch.look(present, count: count, into: connected)
        var bits: UInt64 = 0
        for row in 0..<count {
            guard let port = present[row] else { continue }
            if connected[row] { bits |= 1 << UInt64(row) }
            let kept = self.row(row, of: slot)
            if let buffer = cjack_port_get_buffer(port, UInt32(truncatingIfNeeded: frames)) {
                Samples.copy(UnsafePointer(buffer.assumingMemoryBound(to: Float.self)), to: kept, count: frames)
            } else {
                Samples.clear(kept, count: frames)
            }
        }
        slots[slot].connected = bits
        slots[slot].mark.store(1 << 63 | UInt64(frames) << 32 | UInt64(first), ordering: .releasing)
        cycles.wrappingAdd(1, ordering: .releasing)
    }

    /// Returns a row's sound for the period of `frames` frames that ended at a frame of the clock, and whether the
    /// input was connected. Returns nil if the relay has not stored that period. The sound is valid for one cycle.
    /// Called on the stage's audio thread.
    @_noLocks
    func take(_ row: Int, before frame: UInt32, frames: Int) -> (sound: UnsafePointer<Float>, isConnected: Bool)? {
        let first = frame &- UInt32(truncatingIfNeeded: frames)
        let wanted = 1 << 63 | UInt64(frames) << 32 | UInt64(first)
        for slot in 0..<Self.slots where slots[slot].mark.load(ordering: .acquiring) == wanted {
            return (UnsafePointer(self.row(row, of: slot)), slots[slot].connected & (1 << UInt64(row)) != 0)
        }
        return nil
    }
}

/// All callbacks except `process`.
extension JACKRelayContext {
    /// Value that stands for an unknown latency.
    private static var unknown: UInt64 { .max }

    /// Returns the capture latency of a row; nil without a connection. May be called on any thread.
    func capture(_ row: Int) -> jack_latency_range_t? {
        let packed = rows[row].capture.load(ordering: .relaxed)
        return packed == Self.unknown ? nil : Self.range(packed)
    }

    /// Sets the playback latency of a row. Returns whether it has changed. May be called on any thread.
    func note(playback range: jack_latency_range_t, of row: Int) -> Bool {
        rows[row].playback.exchange(Self.packed(range), ordering: .relaxed) != Self.packed(range)
    }

    private static func packed(_ range: jack_latency_range_t) -> UInt64 { UInt64(range.min) << 32 | UInt64(range.max) }

    private static func range(_ packed: UInt64) -> jack_latency_range_t {
        jack_latency_range_t(min: UInt32(truncatingIfNeeded: packed >> 32), max: UInt32(truncatingIfNeeded: packed))
    }

    /// Reads the connection states from libjack. Called on the notification thread.
    private func noteConnections() {
        let ports = (0..<rowCount.load(ordering: .relaxed)).map { port($0) }
        watch.note(ports, count: ports.count)
        notes?.pointee.noteConnections()
    }

    /// Reads the capture latencies of the connections, or reports the stage's playback latencies. With jackd the
    /// latency callback calls this function, with PipeWire the supervisor.
    func reportLatency(_ mode: jack_latency_callback_mode_t) {
        var isNews = false
        for row in 0..<rowCount.load(ordering: .relaxed) {
            guard let port = port(row) else { continue }
            var range = jack_latency_range_t()
            if mode == JackPlaybackLatency {
                range = Self.range(rows[row].playback.load(ordering: .relaxed))
                jack_port_set_latency_range(port, mode, &range)
                continue
            }
            var found = Self.unknown
            if jack_port_connected(port) > 0 {
                jack_port_get_latency_range(port, mode, &range)
                found = Self.packed(range)
            }
            if rows[row].capture.exchange(found, ordering: .relaxed) != found { isNews = true }
        }
        if isNews { notes?.pointee.noteLatency() }
    }

    /// Registers all callbacks. Returns false if one is refused. Call before activation.
    static func register(_ context: UnsafeMutablePointer<JACKRelayContext>) -> Bool {
        let (client, argument) = (context.pointee.client, UnsafeMutableRawPointer(context))
        let results: [Int32] = [
            jack_set_process_callback(client, { jackRelayProcess($0, $1) }, argument),
            jack_set_port_connect_callback(
                client, { _, _, _, argument in behind(argument)?.pointee.noteConnections() }, argument),
            jack_set_latency_callback(
                client,
                { mode, argument in
                    guard let context = behind(argument) else { return }
                    if context.pointee.isPipeWire {
                        context.pointee.notes?.pointee.noteLatency()
                    } else {
                        context.pointee.reportLatency(mode)
                    }
                }, argument),
        ]
        jack_on_info_shutdown(
            client,
            { _, _, argument in
                _ = behind(argument)?.pointee.notes?.pointee.note(shutdown: 2)
            }, argument)
        return results.allSatisfy { $0 == 0 }
    }
}

/// Returns the context to which a callback's argument points.
@_noLocks
private func behind(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<JACKRelayContext>? {
    argument?.assumingMemoryBound(to: JACKRelayContext.self)
}

/// JACK's process callback of a relay.
@_noLocks
private func jackRelayProcess(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    behind(argument)?.pointee.process(Int(frames))
    return 0
}
