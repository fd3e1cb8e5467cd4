import Signal
import Synchronization

/// A player of files as a client of a server in memory. It goes with its last reference.
final class MemoryPlayer: FilePlayer {
    let name: String
    let sampleRate: SampleRate
    private let channelCount: Int
    private let reader: PlaybackReader
    private let server: MemoryServer

    init(name: String, sampleRate: SampleRate, channelCount: Int, reader: PlaybackReader, server: MemoryServer) {
        self.name = name
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.reader = reader
        self.server = server
    }

    deinit {
        server.removeClient(name)
        reader.stop()
    }

    var serverIsGone: Bool { server.graph.withLock { $0.health == .gone } }
    var failure: SoundFileError? { reader.failure }
    var status: JACKFilePlayer.Status { reader.status(at: sampleRate) }

    func connect(to other: String) throws(JACKError) {
        let inputs = server.graph.withLock { graph in graph.names(isInput: true) { $0.name.hasPrefix(other + ":") } }
        guard !inputs.isEmpty else { throw .noSuchPort(pattern: "\(other):*", takesSound: true, available: []) }
        for (output, input) in zip((1...channelCount).map { "\(name):out_\($0)" }, inputs) {
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

    func play(atFrame frame: UInt32) {
        reader.queue.pointee.begin.store(1 << 63 | UInt64(frame), ordering: .releasing)
    }

    func pause(_ isPaused: Bool) { reader.queue.pointee.isPaused.store(isPaused, ordering: .relaxed) }

    func jump(toFile file: Int, seconds: Double) {
        reader.jump(toFile: file, seconds: seconds)
    }

    func setGain(_ gain: Decibels) { reader.setGain(gain) }

    func setLoop(_ loops: Bool) { reader.loops = loops }
}
