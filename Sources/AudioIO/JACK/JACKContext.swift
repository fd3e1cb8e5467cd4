import CJACK
import CRealtime
import Rendering
import Signal
import Synchronization

/// Data that the JACK callbacks share. It is a ~Copyable struct that is used by pointer, so that the audio thread
/// counts no references.
///
/// `cycle` and the port pointers belong to the process callback once the client is active. All other mutable fields are
/// atomic or under a lock.
struct JACKContext: ~Copyable {
    let client: OpaquePointer
    let outputPorts: UnsafeMutablePointer<OpaquePointer>
    var cycle: StageCycle
    let sampleRate: Double
    /// Host clock minus JACK's clock, seconds; 0 if both are CLOCK_MONOTONIC.
    let clockOffset: Double

    /// Number of cycles run since activation. The supervisor checks that it rises.
    let cycleCount = Atomic<Int>(0)
    let periodFrames: Atomic<Int>
    let isFreewheeling = Atomic<Bool>(false)
    /// Whether the server's sample rate differs from that of the renderers. The output is then silent.
    let isSilenced = Atomic<Bool>(false)
    /// Longest playback latency of the output ports, frames; 0 without connections.
    let playbackLatency = Atomic<Int>(0)
    /// Address of the port for the connections to relays; 0 without relays.
    let cable = Atomic<UInt>(0)
    /// The server's frame clock, followed from cycle to cycle. Used only by the audio thread.
    private var clock = CycleClock()
    /// Detector of empty periods of the inputs. Used only by the audio thread.
    private var gaps = InputGaps()
    /// Address of the ports and of the stages that play from them. The next cycle reads it. It is never 0.
    private let ports: Atomic<UInt>
    /// Lock that every thread except the audio thread holds while it uses the ports.
    private let portsAreUsed = Mutex<Void>(())
    /// Latency of the plugins, frames, common to all inputs.
    let insertLatency = Atomic<UInt32>(0)

    /// MIDI ports; nil without MIDI.
    let events: StageEventPorts?
    /// Ports of the monitor section's inputs, which bypass the stage.
    let monitorPorts: JACKMonitorPorts

    /// Whether the loss of a route (an output's connection to the listener's device) mutes the outputs.
    let mutesOnLoss: Bool
    /// Present routes of the outputs. Used by the notification thread and the supervisor.
    let route = Mutex(RouteWatch())
    /// Whether the server is PipeWire. The audio thread must then not count connections.
    let isPipeWire: Bool
    /// Number of connections of each output in the last cycle, as the audio thread counted them; −1 before the first
    /// cycle.
    var earConnections = SIMD2<Int32>(-1, -1)

    /// Changes that the callbacks record for the supervisor.
    let notes: UnsafeMutablePointer<JACKNotes>

    /// Makes a context, which owns `ports`.
    init(
        client: OpaquePointer, ports: UnsafeMutablePointer<JACKStagePorts>, outputPorts: [OpaquePointer],
        cycle: consuming StageCycle, sampleRate: Double, clockOffset: Double, periodFrames: Int, mutesOnLoss: Bool,
        isPipeWire: Bool, events: StageEventPorts?, monitorPorts: consuming JACKMonitorPorts
    ) {
        notes = .allocate(capacity: 1)
        notes.initialize(to: JACKNotes())
        self.events = events
        self.monitorPorts = monitorPorts
        self.client = client
        self.ports = Atomic(UInt(bitPattern: ports))
        self.outputPorts = .allocate(capacity: 2)
        for (i, port) in outputPorts.enumerated() { (self.outputPorts + i).initialize(to: port) }
        self.cycle = cycle
        self.sampleRate = sampleRate
        self.clockOffset = clockOffset
        self.periodFrames = Atomic(periodFrames)
        self.mutesOnLoss = mutesOnLoss
        self.isPipeWire = isPipeWire
    }

    deinit {
        let present = Self.at(ports.load(ordering: .acquiring))
        present.deinitialize(count: 1)
        present.deallocate()
        outputPorts.deallocate()
        notes.deinitialize(count: 1)
        notes.deallocate()
        events?.exchange.deallocate()
    }

    /// Returns the ports at an address.
    @_noLocks
    private static func at(_ address: UInt) -> UnsafeMutablePointer<JACKStagePorts> {
        // The address is never 0, because every stored value is the address of ports.
        UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    /// Calls `look` with the present ports, under their lock. May be called on any thread except the audio thread.
    func withPorts<Value>(_ look: (borrowing JACKStagePorts) throws -> Value) rethrows -> Value {
        try portsAreUsed.withLock { _ in try look(Self.at(ports.load(ordering: .acquiring)).pointee) }
    }

    /// Replaces the ports from the next cycle on. Returns the former ports, which a cycle may still use.
    func exchange(_ other: UnsafeMutablePointer<JACKStagePorts>) -> UnsafeMutablePointer<JACKStagePorts> {
        let address = UInt(bitPattern: other)
        return Self.at(portsAreUsed.withLock { _ in ports.exchange(address, ordering: .acquiringAndReleasing) })
    }

    /// Runs one period. Called on the audio thread; cannot fail. Every output is written in every cycle.
    @_noLocks
    mutating func process(_ frames: Int) {
        guard frames > 0 else { return }
        let firstFrame = cjack_last_frame_time(client)
        let followsGap = clock.begin(at: firstFrame, frames: frames)
        if clock.skipped > 0 {
            notes.pointee.skippedFrames.wrappingAdd(clock.skipped, ordering: .relaxed)
            notes.pointee.lagSteps.wrappingAdd(1, ordering: .relaxed)
        }
        let present = Self.at(ports.load(ordering: .acquiring))
        cycle.adopt(present.pointee.cast)
        let isFit = frames <= StageCycle.maximumFrames
        let earsAreReady = takeOutputs(present, frames)
        let inputsAreReady = present.pointee.take(into: cycle.cast, at: firstFrame, frames: frames)
        if inputsAreReady { noteGaps(present.pointee.inputCount, frames) }
        exchangeEvents(UInt32(truncatingIfNeeded: frames), cycle: firstFrame)
        watchEars()
        cycle.feed = monitorPorts.feed(frames)
        if isFit && earsAreReady && inputsAreReady && !isSilenced.load(ordering: .relaxed) {
            let isLive = !isFreewheeling.load(ordering: .relaxed)
            cycle.run(
                frames: frames, firstFrame: firstFrame, followsGap: followsGap, live: isLive, heardAt: heardAt(frames),
                isRolling: cjack_transport_is_rolling(client) != 0)
        }
        cycleCount.wrappingAdd(1, ordering: .releasing)
    }

    /// Counts a gap of the inputs that ends with this cycle.
    @_noLocks
    private mutating func noteGaps(_ count: Int, _ frames: Int) {
        let gap = gaps.look(cycle.inputs, count: count, frames: frames)
        guard gap > 0 else { return }
        notes.pointee.emptyFrames.wrappingAdd(gap, ordering: .relaxed)
        notes.pointee.lagSteps.wrappingAdd(1, ordering: .relaxed)
    }

    /// Passes the buffers of the outputs and the print bus to the cycle, filled with silence. Returns false if an
    /// output's buffer is missing. Buffers are fetched in every cycle, because they move when connections change.
    @_noLocks
    private mutating func takeOutputs(_ present: UnsafeMutablePointer<JACKStagePorts>, _ frames: Int) -> Bool {
        var isReady = true
        for ear in 0..<2 {
            guard let buffer = Self.buffer(outputPorts[ear], frames) else {
                isReady = false
                continue
            }
            cycle.outputs[ear] = buffer
            prc_zero(buffer, frames * 4)
        }
        cycle.hasPrint = false
        if let print = present.pointee.print, let left = Self.buffer(print.left, frames),
            let right = Self.buffer(print.right, frames)
        {
            (cycle.print[0], cycle.print[1], cycle.hasPrint) = (left, right, true)
            prc_zero(left, frames * 4)
            prc_zero(right, frames * 4)
        }
        if let cable = OpaquePointer(bitPattern: cable.load(ordering: .relaxed)) {
            // The connection only keeps the relays in the same graph as the stage. The signal is silence.
            if let row = Self.buffer(cable, frames) { prc_zero(row, frames * 4) }
        }
        return isReady
    }

    @_noLocks
    private static func buffer(_ port: OpaquePointer, _ frames: Int) -> UnsafeMutablePointer<Float>? {
        cjack_port_get_buffer(port, UInt32(truncatingIfNeeded: frames))?.assumingMemoryBound(to: Float.self)
    }

    /// Reads and writes the cycle's MIDI messages.
    @_noLocks
    private func exchangeEvents(_ frames: UInt32, cycle: UInt32) {
        guard let events else { return }
        if let buffer = cjack_port_get_buffer(events.input, frames) {
            events.exchange.pointee.take(from: buffer, cycle: cycle)
        }
        if let buffer = cjack_port_get_buffer(events.output, frames) { events.exchange.pointee.put(into: buffer) }
    }

    /// Returns the host time at which this cycle's first frame is heard, seconds. It is the cycle's start plus the
    /// outputs' playback latency.
    ///
    /// JACK counts a playback latency from the start of the cycle in which a sample is written. The latency therefore
    /// includes the period that the server buffers. If the ports report less than one period, one period is used.
    @_noLocks
    private func heardAt(_ frames: Int) -> Double {
        let microseconds = cjack_cycle_start(client)
        let start =
            microseconds == 0
            ? Double(prc_monotonic_nanoseconds()) * 1e-9 : Double(microseconds) * 1e-6 + clockOffset
        let latency = playbackLatency.load(ordering: .relaxed)
        return start + Double(max(latency, frames)) / sampleRate
    }
}

/// JACK's process callback.
@_noLocks
func jackProcess(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let argument else { return 0 }
    prc_flush_denormals()
    argument.assumingMemoryBound(to: JACKContext.self).pointee.process(Int(frames))
    return 0
}
