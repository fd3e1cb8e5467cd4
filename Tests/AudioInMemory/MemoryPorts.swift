@testable import AudioIO

/// Full names of the ports of a stage in memory.
struct MemoryPorts {
    let inputs: [String]
    let ears: [String]
    let print: [String]

    /// No ports.
    init() { (inputs, ears, print) = ([], [], []) }

    /// Makes the names of the ports of parts.
    init(_ parts: [StagePart], of name: String) {
        inputs = parts.ports.map { "\(name):in_\($0.symbol)" }
        ears = JACKClient.ears.map { "\(name):\($0.symbol)" }
        print = parts.havePrint ? JACKClient.printBus.map { "\(name):\($0.symbol)" } : []
    }
}
