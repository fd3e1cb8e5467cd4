import CPeers

/// zita-convolver 4 with a still head; its block is a whole period.
final class ZitaContender: Contender {
    let name = "zita-convolver 4"
    let remark: String
    private let engine: OpaquePointer
    private let programme: Programme

    /// Creates the engine. `responses` returns the filter of a source and an ear; `largest` is the longest partition,
    /// frames.
    init(
        _ programme: Programme, taps: Int, largest: Int,
        responses: (_ source: Int, _ ear: Int) -> UnsafePointer<Float>
    ) throws {
        guard let engine = peer_zita_create(programme.channels, programme.period, largest, taps) else {
            throw Refusal("zita-convolver refused \(programme.channels) sources at \(programme.period) frames")
        }
        self.engine = engine
        self.programme = programme
        remark =
            "partitions of \(programme.period)\(largest > programme.period ? " to \(largest)" : ""), measured plans"
        for source in 0..<programme.channels {
            peer_zita_set(engine, source, responses(source, 0), responses(source, 1))
        }
    }

    deinit { peer_zita_destroy(engine) }

    func step(_ index: Int, into output: Output) {
        let inputs = UnsafeRawPointer(programme.block(index)).assumingMemoryBound(to: UnsafePointer<Float>?.self)
        let flags = peer_zita_process(engine, inputs, output.left, output.right)
        precondition(flags == 0, "zita-convolver reports \(flags)")
    }
}
