import Rendering

/// One of several stages (renderings of virtual loudspeakers) that a driver plays side by side, with its renderer, its
/// input ports and its outlet.
package struct StagePart: Sendable {
    /// Renderer of the part. The driver must retain the renderer while the part plays.
    package var renderer: StageRenderer
    /// Inputs of the part, in order. If several parts have an input with the same symbol, these inputs share one port.
    package var inputs: [StagePort]
    /// Where the part's two output channels are sent.
    package var outlet: Outlet

    /// Destinations of a part's two output channels.
    package enum Outlet: Sendable {
        /// The client's outputs, while the part is heard.
        case ears
        /// The print bus, which is recorded or sent, while the preceding part is heard.
        case print
    }

    /// Makes a part; see the properties.
    package init(_ renderer: StageRenderer, inputs: [StagePort], outlet: Outlet = .ears) {
        self.renderer = renderer
        self.inputs = inputs
        self.outlet = outlet
    }
}

extension [StagePart] {
    /// The input ports of all parts, each symbol once, in the order of the parts.
    var ports: [StagePort] {
        var (found, known): ([StagePort], Set<String>) = ([], [])
        for port in flatMap(\.inputs) where known.insert(port.symbol).inserted { found.append(port) }
        return found
    }

    /// Whether any part is for the print bus.
    var havePrint: Bool { contains { $0.outlet == .print } }

    /// Returns the index of the print part that follows the heard part; nil if the next part is no print part.
    func printing(_ heard: Int) -> Int? {
        heard + 1 < count && self[heard + 1].outlet == .print ? heard + 1 : nil
    }

    /// Returns for each of `ports` the latency from the port to the outputs of the heard part, frames, without plugins.
    /// It is 0 for a port that the part does not have.
    func latencies(of ports: [StagePort], heard: Int) -> [Int] {
        let (part, symbols) = (self[heard], self[heard].inputs.map(\.symbol))
        return ports.map { port in symbols.firstIndex(of: port.symbol).map { part.renderer.latency.inputs[$0] } ?? 0 }
    }
}
