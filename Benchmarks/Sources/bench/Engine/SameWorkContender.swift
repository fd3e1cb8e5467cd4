import CPeers
import HRTF

/// The FFTW baseline with the engine's whole work: the field evaluated for every source at every refresh, the responses
/// transformed, convolved and faded. No guard, no meters.
final class SameWorkContender: Contender {
    let name: String
    let remark: String
    private let work: EngineWork
    private let engine: OpaquePointer
    private let responses: TimeResponses
    private let states: Int
    private var rows: [Int]

    init(_ work: EngineWork, _ form: peer_form) throws {
        self.work = work
        states = work.isTurning ? max(1, work.slice / work.refresh) + 1 : 1
        let taps = work.field.tapCount
        guard
            let engine = peer_fftw_create(form, work.sources, work.slice, taps, states * work.sources, states)
        else { throw Refusal("the FFTW baseline found no memory") }
        self.engine = engine
        if work.refresh > work.slice, peer_fftw_fade_over(engine, work.refresh) == 0 {
            throw Refusal("the FFTW baseline found no memory for its fade")
        }
        name = "FFTW, \(form == PEER_SINGLE ? "one transform" : "partitioned"), same responses"
        remark = "transforms of \(peer_fftw_size(engine)); responses interpolated and delayed in time, then transformed"
        responses = TimeResponses(work.field)
        rows = Array(0..<(states * work.sources))
        prepare(refresh: 0)
    }

    deinit { peer_fftw_destroy(engine) }

    /// Computes the filters of all sources for the pose at a refresh.
    private func prepare(refresh index: Int) {
        let pose = work.headToStage(atFrame: index * work.refresh)
        for source in 0..<work.sources {
            responses.evaluate(work.directions[source], headToStage: pose, before: nil)
            peer_fftw_set(engine, index % states * work.sources + source, responses.left, responses.right)
        }
    }

    func step(_ index: Int, into output: Output) {
        for start in stride(from: 0, to: work.period, by: work.slice) {
            if work.isTurning {
                let first = (index * work.period + start) / work.refresh
                let elapsed = (index * work.period + start) % work.refresh
                if work.refresh > work.slice { peer_fftw_elapsed(engine, elapsed) }
                for state in 0..<states {
                    // The first state is the last state of the slice before. A fade over two slices has its filters
                    // ready in its second slice.
                    if state > 0 && elapsed == 0 { prepare(refresh: first + state) }
                    for source in 0..<work.sources {
                        rows[state * work.sources + source] = (first + state) % states * work.sources + source
                    }
                }
            }
            let inputs = UnsafeRawPointer(work.programme.block(index, from: start))
                .assumingMemoryBound(to: UnsafePointer<Float>?.self)
            peer_fftw_process(engine, inputs, rows, output.left + start, output.right + start)
        }
    }
}
