import CJACK
import Rendering
import Signal

/// A client's ports for sound as they are now, and what plays over them. Another takes its place as a whole where
/// parts come or go.
///
/// The audio thread reads it by pointer; every other thread under its context's lock (`JACKContext.withPorts`).
struct JACKStagePorts: ~Copyable {
    /// `[port]`, in the order of the parts' inputs.
    let inputs: UnsafeMutablePointer<OpaquePointer>
    let inputCount: Int
    /// `[port]`: those of the stage's own client; nil for a relay's.
    private let own: UnsafeMutablePointer<OpaquePointer?>
    /// `[port]`: where the audio thread finds what it took.
    let places: UnsafeMutablePointer<JACKRelayPlace>
    /// The print bus, left and right; nil without one.
    let print: (left: OpaquePointer, right: OpaquePointer)?
    /// Whether and how it is found out which inputs are connected.
    let watch: ConnectionWatch
    /// What plays.
    let cast: UnsafeMutablePointer<StageCast>
    /// What mutes the ears of each part.
    let gates: [UnsafeMutablePointer<PlaybackGate>]
    /// `[port]`: frames by which the part that is heard delays its sound.
    let latencies: UnsafeMutablePointer<UInt32>

    /// The ports of parts, in the order in which `ports` has them.
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

    /// Frames by which each input is heard later, where another part is heard.
    func setLatencies(of parts: [StagePart], heard: Int) {
        for (i, frames) in parts.latencies(of: parts.ports, heard: heard).enumerated() where i < inputCount {
            latencies[i] = UInt32(frames)
        }
    }

    /// The relays that take inputs, each once.
    var relays: Set<UnsafeMutablePointer<JACKRelayContext>> { Set((0..<inputCount).compactMap { places[$0].relay }) }

    /// Asks anew what the stage's own inputs are connected to.
    func noteConnections() { watch.note(own, count: inputCount) }

    /// Gives a cycle that begins at a frame of the clock the buffers of its inputs, and says of each whether it is
    /// connected; false where one has no buffer. What a relay took is a period old; a period that it was not called for
    /// counts as a connection that went. Audio thread.
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

    /// The ports that give sound beside the ears.
    var printPorts: [OpaquePointer] { print.map { [$0.left, $0.right] } ?? [] }
}
