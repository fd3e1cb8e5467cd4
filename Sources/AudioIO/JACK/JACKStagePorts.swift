import CJACK
import Rendering
import Signal

/// Present audio ports of a client, with the cast: the stages that play from the ports (`StageCast`). A change of parts
/// replaces ports and cast together.
///
/// The audio thread uses them by pointer, other threads under the context's lock (`JACKContext.withPorts`).
struct JACKStagePorts: ~Copyable {
    /// `[port]`: the input ports, in the order of the parts' inputs.
    let inputs: UnsafeMutablePointer<OpaquePointer>
    let inputCount: Int
    /// `[port]`: port of the stage's own client; nil if the port belongs to a relay.
    private let own: UnsafeMutablePointer<OpaquePointer?>
    /// `[port]`: where the audio thread reads the input's sound.
    let places: UnsafeMutablePointer<JACKRelayPlace>
    /// Ports of the print bus, left and right; nil without a print bus.
    let print: (left: OpaquePointer, right: OpaquePointer)?
    /// Watch over the connections of the inputs; off if no part needs it.
    let watch: ConnectionWatch
    /// The parts that play.
    let cast: UnsafeMutablePointer<StageCast>
    /// Gates that mute the outputs of the parts, except print parts.
    let gates: [UnsafeMutablePointer<PlaybackGate>]
    /// `[port]`: latency from the input to the outputs of the heard part, frames.
    let latencies: UnsafeMutablePointer<UInt32>

    /// Makes the ports of parts. `inputs` are in the order of `parts.ports`.
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

    /// Sets the latencies of the inputs when another part is heard.
    func setLatencies(of parts: [StagePart], heard: Int) {
        for (i, frames) in parts.latencies(of: parts.ports, heard: heard).enumerated() where i < inputCount {
            latencies[i] = UInt32(frames)
        }
    }

    /// The relays of the inputs, each once.
    var relays: Set<UnsafeMutablePointer<JACKRelayContext>> { Set((0..<inputCount).compactMap { places[$0].relay }) }

    /// Reads the connections of the stage's own inputs again.
    func noteConnections() { watch.note(own, count: inputCount) }

    /// Passes the input buffers of a cycle to the cast, and whether each input is connected. `frame` is the clock's
    /// frame at which the cycle begins. Returns false if a buffer is missing. A relay's sound is one period old. A
    /// period that the relay missed is silent, and the relay's inputs count as not connected. Called on the audio
    /// thread.
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

    /// The ports of the print bus; empty without a print bus.
    var printPorts: [OpaquePointer] { print.map { [$0.left, $0.right] } ?? [] }
}
