import Rendering

/// One of several stages that a driver plays side by side: what renders it, which ports it is fed from, and where its
/// ears go.
package struct StagePart: Sendable {
    /// What renders it; it must outlive its part.
    package var renderer: StageRenderer
    /// Its inputs, in order. Parts share the ports of equal symbols.
    package var inputs: [StagePort]
    /// Where its ears go.
    package var outlet: Outlet

    /// Where a part's two ears go.
    package enum Outlet: Sendable {
        /// To the ears, while it is the part that is heard.
        case ears
        /// To the print bus, while the part before it is heard.
        case print
    }

    /// A part.
    package init(_ renderer: StageRenderer, inputs: [StagePort], outlet: Outlet = .ears) {
        self.renderer = renderer
        self.inputs = inputs
        self.outlet = outlet
    }
}

extension [StagePart] {
    /// The inputs of all parts, each symbol once, in the order in which parts name them.
    var ports: [StagePort] {
        var (found, known): ([StagePort], Set<String>) = ([], [])
        for port in flatMap(\.inputs) where known.insert(port.symbol).inserted { found.append(port) }
        return found
    }

    /// Whether one of them goes to the print bus.
    var havePrint: Bool { contains { $0.outlet == .print } }

    /// The part that prints what is heard: the one behind it; nil where there is none.
    func printing(_ heard: Int) -> Int? {
        heard + 1 < count && self[heard + 1].outlet == .print ? heard + 1 : nil
    }

    /// `[port]`: frames by which the ears are later than it in the part that is heard, without plugins; 0 of a port
    /// that it does not have.
    func latencies(of ports: [StagePort], heard: Int) -> [Int] {
        let (part, symbols) = (self[heard], self[heard].inputs.map(\.symbol))
        return ports.map { port in symbols.firstIndex(of: port.symbol).map { part.renderer.inputLatencies[$0] } ?? 0 }
    }
}
