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
        _ parts: [StagePart], heard: Int, inputs: [OpaquePointer], print: (left: OpaquePointer, right: OpaquePointer)?,
        sampleRate: SampleRate, isPipeWire: Bool
    ) {
        inputCount = inputs.count
        self.inputs = .allocate(capacity: max(1, inputs.count))
        for (i, port) in inputs.enumerated() { (self.inputs + i).initialize(to: port) }
        self.print = print
        let follows = parts.contains { $0.renderer.followsConnections }
        watch = ConnectionWatch(!follows ? .off : isPipeWire ? .told : .polled, count: inputs.count)
        cast = .allocate(capacity: 1)
        cast.initialize(to: StageCast(parts, heard: heard, sampleRate: sampleRate))
        gates = parts.filter { $0.outlet == .ears }.map(\.renderer.gate)
        latencies = .allocate(capacity: max(1, inputs.count))
        latencies.initialize(repeating: 0, count: max(1, inputs.count))
        setLatencies(of: parts, heard: heard)
    }

    deinit {
        inputs.deallocate()
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

    /// The ports that give sound beside the ears.
    var printPorts: [OpaquePointer] { print.map { [$0.left, $0.right] } ?? [] }
}
