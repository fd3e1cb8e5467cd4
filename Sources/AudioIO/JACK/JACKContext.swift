import CJACK
import CRealtime
import Rendering
import Signal
import Synchronization

/// Data shared by the JACK callbacks: a ~Copyable struct reached by pointer, so that the audio thread touches no
/// object.
///
/// `cycle` and the port pointers belong to the process callback once the client is active; all other mutable fields are
/// atomic.
struct JACKContext: ~Copyable {
    let client: OpaquePointer
    let outputPorts: UnsafeMutablePointer<OpaquePointer>
    var cycle: StageCycle
    let sampleRate: Double
    /// Host clock minus JACK's clock in seconds; 0 if both are CLOCK_MONOTONIC.
    let clockOffset: Double

    /// Cycles run since activation; the supervisor checks that they go on.
    let cycleCount = Atomic<Int>(0)
    let periodFrames: Atomic<Int>
    let isFreewheeling = Atomic<Bool>(false)
    /// Whether the server's rate differs from the graph's: the output is then silent.
    let isSilenced = Atomic<Bool>(false)
    /// Longest playback latency of the output ports in frames; 0 without connections.
    let playbackLatency = Atomic<Int>(0)
    /// Address of the port for the connections to relays; 0 without relays.
    let cable = Atomic<UInt>(0)
    /// Expected frame clock of the next cycle; audio thread only.
    private var clock = CycleClock()
    /// Empty periods of the inputs; audio thread only.
    private var gaps = InputGaps()
    /// Address of the input ports and their cast, read by the next cycle; never 0.
    private let ports: Atomic<UInt>
    /// Held by every thread but the audio thread while it uses the ports.
    private let portsAreUsed = Mutex<Void>(())
    /// Latency of plugins in frames, common to all inputs.
    let insertLatency = Atomic<UInt32>(0)

    /// MIDI ports; nil without any.
    let events: StageEventPorts?
    /// Ports of the inputs past the stage.
    let monitorPorts: JACKMonitorPorts

    /// Whether a lost route mutes the outputs.
    let mutesOnLoss: Bool
    /// Present routes of the outputs; used by the notification thread and the supervisor.
    let route = Mutex(RouteWatch())
    /// Whether the server is PipeWire: there the audio thread must not count connections.
    let isPipeWire: Bool
    /// Number of connections of each output in the last cycle, as counted by the audio thread; −1 before the first.
    var earConnections = SIMD2<Int32>(-1, -1)

    /// Notes of the callbacks for the supervisor.
    let notes: UnsafeMutablePointer<JACKNotes>

    /// Creates a context that owns `ports`.
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
        // Never 0: every stored value is the address of ports.
        UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    /// Reads the present ports under their lock. Any thread but the audio thread.
    func withPorts<Value>(_ look: (borrowing JACKStagePorts) throws -> Value) rethrows -> Value {
        try portsAreUsed.withLock { _ in try look(Self.at(ports.load(ordering: .acquiring)).pointee) }
    }

    /// Replaces the ports from the next cycle on. Returns the former ones, which a cycle may still use.
    func exchange(_ other: UnsafeMutablePointer<JACKStagePorts>) -> UnsafeMutablePointer<JACKStagePorts> {
        let address = UInt(bitPattern: other)
        return Self.at(portsAreUsed.withLock { _ in ports.exchange(address, ordering: .acquiringAndReleasing) })
    }

    /// Runs one period. Audio thread; never fails: every output is written in every cycle.
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

    /// Counts the gap of the inputs that this cycle ends, if any.
    @_noLocks
    private mutating func noteGaps(_ count: Int, _ frames: Int) {
        let gap = gaps.look(cycle.inputs, count: count, frames: frames)
        guard gap > 0 else { return }
        notes.pointee.emptyFrames.wrappingAdd(gap, ordering: .relaxed)
        notes.pointee.lagSteps.wrappingAdd(1, ordering: .relaxed)
    }

    /// Passes the buffers of outputs and print bus to the cycle, silent; false if one is missing. Buffers are fetched
    /// in every cycle, as they move when connections change.
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
            // The connection only keeps relays in the graph; its signal is silence.
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

    /// Returns the host time at which this cycle's first frame is heard, in seconds: the cycle's start plus the
    /// outputs' playback latency.
    ///
    /// JACK counts a playback latency from the start of the cycle in which a sample is written, so that it includes the
    /// period buffered by the server. Without a latency on the ports, one period is the minimum.
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
