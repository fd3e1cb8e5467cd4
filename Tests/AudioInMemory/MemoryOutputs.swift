import Synchronization

@testable import AudioIO

/// Client of a server in memory that has only outputs.
final class MemoryOutputs: PlayerOutputs {
    let name: String
    let hertz: Double
    private let channelCount = Atomic<Int>(0)
    private let server: MemoryServer

    /// Makes the object for a client that the server has already registered.
    init(name: String, hertz: Double, server: MemoryServer) {
        self.name = name
        self.hertz = hertz
        self.server = server
    }

    deinit { _ = close() }

    func start(_ sound: PlayedSound, channels: Int) throws(JACKError) {
        channelCount.store(channels, ordering: .relaxed)
        server.graph.withLock { graph in
            for channel in 1...channels { graph.register("\(name):out_\(channel)", isInput: false) }
            graph.players[name] = (sound, channels)
        }
    }

    func close() -> Bool {
        server.removeClient(name)
        return true
    }

    var serverIsGone: Bool { server.graph.withLock { $0.health == .gone } }

    func connect(to other: String) throws(JACKError) {
        let inputs = server.graph.withLock { graph in graph.names(isInput: true) { $0.name.hasPrefix(other + ":") } }
        guard !inputs.isEmpty else { throw .noSuchPort(pattern: "\(other):*", takesSound: true, available: []) }
        let outputs = (0..<channelCount.load(ordering: .relaxed)).map { "\(name):out_\($0 + 1)" }
        for (output, input) in zip(outputs, inputs) {
            guard server.connect(output, to: input) else { throw .notConnected(from: output, to: input, code: -1) }
        }
    }

    func cycle(after seconds: Double) -> UInt32 {
        server.graph.withLock { graph in
            let ahead = UInt32((seconds * graph.hertz).rounded(.up))
            let period = UInt32(graph.period)
            return graph.frame &+ (ahead + period - 1) / period * period
        }
    }
}
