import CJACK
import Rendering
import Signal

/// Present audio ports of a client, and the cast that plays over them. A change of parts replaces it as a whole.
///
/// Read by pointer on the audio thread, and on other threads under the context's lock (`JACKContext.withPorts`).
struct JACKStagePorts: ~Copyable {
    /// `[port]`, in the order of the parts' inputs.
    let inputs: UnsafeMutablePointer<OpaquePointer>
    let inputCount: Int
    /// `[port]`: port of the stage's own client; nil for a relay's.
    private let own: UnsafeMutablePointer<OpaquePointer?>
    /// `[port]`: place of the input's sound for the audio thread.
    let places: UnsafeMutablePointer<JACKRelayPlace>
    /// Ports of the print bus, left and right; nil without one.
    let print: (left: OpaquePointer, right: OpaquePointer)?
    /// Tracks which inputs are connected, if any part needs that.
    let watch: ConnectionWatch
    /// The parts that play.
    let cast: UnsafeMutablePointer<StageCast>
    /// Gates that mute the outputs of the parts.
    let gates: [UnsafeMutablePointer<PlaybackGate>]
    /// `[port]`: latency from the input to the outputs of the heard part, in frames.
    let latencies: UnsafeMutablePointer<UInt32>

    /// Holds the ports of parts, in the order of `ports`.
    init(
        _ parts: [StagePart], heard: Int, inputs: [JACKInput], print: (left: OpaquePointer, right: OpaquePointer)?,
        sampleRate: SampleRate, isPipeWire: Bool
    ) {
        inputCount = inputs.count
        let capacity = max(1, inputs.count)
        self.inputs = .allocate(capacity: capacity)
        own = .allocate(capacity: capacity)
        places = .allocate(capacity: capacity)
        for (i, input) in inputs.enumerated() {
            (self.inputs + i).initialize(to: input.port)
            (own + i).initialize(to: input.relay == nil ? input.port : nil)
            (places + i).initialize(to: input.place)
        }
        self.print = print
        let follows = parts.contains { $0.renderer.followsConnections }
        watch = ConnectionWatch(!follows ? .off : isPipeWire ? .told : .polled, count: inputs.count)
        cast = .allocate(capacity: 1)
        cast.initialize(to: StageCast(parts, heard: heard, sampleRate: sampleRate))
        gates = parts.filter { $0.outlet == .ears }.map(\.renderer.gate.pointer)
        latencies = .allocate(capacity: capacity)
        latencies.initialize(repeating: 0, count: capacity)
        setLatencies(of: parts, heard: heard)
    }

    deinit {
        inputs.deallocate()
        own.deallocate()
        places.deallocate()
        cast.deinitialize(count: 1)
        cast.deallocate()
        latencies.deallocate()
    }

    /// Sets the latencies of the inputs for another heard part.
    func setLatencies(of parts: [StagePart], heard: Int) {
        for (i, frames) in parts.latencies(of: parts.ports, heard: heard).enumerated() where i < inputCount {
            latencies[i] = UInt32(frames)
        }
    }

    /// The relays of inputs, each once.
    var relays: Set<UnsafeMutablePointer<JACKRelayContext>> { Set((0..<inputCount).compactMap { places[$0].relay }) }

    /// Reads the connections of the stage's own inputs anew.
    func noteConnections() { watch.note(own, count: inputCount) }

    /// Passes the input buffers of a cycle that begins at a frame of the clock, and whether each input is connected;
    /// false if a buffer is missing. A relay's sound is one period old; a period that the relay missed counts as a lost
    /// connection. Audio thread.
    @_noLocks
    func take(into cast: UnsafeMutablePointer<StageCast>, at frame: UInt32, frames: Int) -> Bool {
        let (rows, connected) = (cast.pointee.inputs, cast.pointee.connected)
        watch.look(own, count: inputCount, into: connected)
        var isReady = true
        for port in 0..<inputCount {
            if let relay = places[port].relay {
                let found = relay.pointee.take(places[port].row, before: frame, frames: frames)
                rows[port] = found?.sound ?? UnsafePointer(relay.pointee.silence)
                connected[port] = found?.isConnected ?? false
            } else if let buffer = cjack_port_get_buffer(inputs[port], UInt32(truncatingIfNeeded: frames)) {
                rows[port] = UnsafePointer(buffer.assumingMemoryBound(to: Float.self))
            } else {
                isReady = false
            }
        }
        return isReady
    }

    /// The ports of the print bus; empty without one.
    var printPorts: [OpaquePointer] { print.map { [$0.left, $0.right] } ?? [] }
}
