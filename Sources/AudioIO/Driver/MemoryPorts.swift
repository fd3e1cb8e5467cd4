/// The ports of a stage in memory, by their full names.
struct MemoryPorts {
    let inputs: [String]
    let ears: [String]
    let print: [String]

    /// Names the ports of parts.
    init(_ parts: [StagePart], of name: String) {
        inputs = parts.ports.map { "\(name):in_\($0.symbol)" }
        ears = JACKClient.ears.map { "\(name):\($0.symbol)" }
        print = parts.havePrint ? JACKClient.printBus.map { "\(name):\($0.symbol)" } : []
    }
}
