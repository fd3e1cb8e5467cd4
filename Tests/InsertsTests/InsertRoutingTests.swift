import CRealtime
import Inserts
import Signal
import Testing

@Suite struct InsertRoutingTests {
    @Test func `A place is served whole, by channels or by pairs, with inputs or without`() throws {
        #expect(InsertRouting(channels: 3, pluginInputs: 3, pluginOutputs: 3)?.outputs == [[0, 1, 2]])
        #expect(InsertRouting(channels: 3, pluginInputs: 1, pluginOutputs: 1)?.inputs == [[0], [1], [2]])
        let pairs = try #require(InsertRouting(channels: 3, pluginInputs: 2, pluginOutputs: 2))
        #expect(pairs.inputs == [[0, 1], [2, 2]] && pairs.outputs == [[0, 1], [2]] && !pairs.adds)
        let instrument = try #require(InsertRouting(channels: 3, pluginInputs: 0, pluginOutputs: 2))
        #expect(instrument.inputs == [[], []] && instrument.outputs == [[0, 1], [2]] && instrument.adds)
        let mute = try #require(InsertRouting(channels: 3, pluginInputs: 0, pluginOutputs: 0))
        #expect(mute.inputs == [[]] && mute.outputs == [[]] && mute.adds)
        for (inputs, outputs) in [(4, 4), (1, 2), (2, 1), (1, 0), (0, 4)] {
            #expect(InsertRouting(channels: 3, pluginInputs: inputs, pluginOutputs: outputs) == nil)
        }
    }

    @Test(arguments: [0, 10])
    func `An instrument's sound is added to what passes by, which is as late as it`(latency: Int) throws {
        let bench = ChainBench()
        let instrument = Instrument()
        var chains = bench.chains
        let routing = try #require(InsertRouting(channels: 1, pluginInputs: 0, pluginOutputs: 1))
        let member = instrument.member(routing, latency: latency)
        chains[1] = [InsertRequest(member, latency: latency)]
        bench.renderer.ask(for: chains)
        bench.run(frames: 640, piece: 37)
        #expect(bench.heard[2] == (0..<640).map { Instrument.sound($0) + ChainBench.tone($0 - latency) })
        chains[1] = [InsertRequest(member, isBypassed: true, latency: latency)]
        bench.renderer.ask(for: chains)
        bench.settle()
        let from = bench.frame
        bench.run(frames: 128)
        #expect(bench.heard[2][from...].elementsEqual((from..<from + 128).map { ChainBench.tone($0 - latency) }))
    }

    @Test func `A plugin without any sound runs, and what passes it stays as it is`() throws {
        let bench = ChainBench()
        let instrument = Instrument()
        var chains = bench.chains
        let routing = try #require(InsertRouting(channels: 2, pluginInputs: 0, pluginOutputs: 0))
        let member = instrument.member(routing, latency: 0)
        chains[0] = [InsertRequest(member)]
        bench.renderer.ask(for: chains)
        bench.run(frames: 640, piece: 37)
        #expect(bench.heard[0] == (0..<640).map { ChainBench.tone($0) } && bench.heard[1] == bench.heard[0])
        #expect(member.meter.frames == 640)
    }
}

/// A plugin of no input that counts the frames it has run.
private final class Instrument: @unchecked Sendable {
    private struct State {
        var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        var frame = 0
    }
    private let room = PlanarBlock(channels: 1, frames: 64)
    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State(outputs: room.pointers))
    }

    deinit { state.deallocate() }

    /// Returns its output sample at a frame.
    static func sound(_ frame: Int) -> Float { Float(frame) / 1024 }

    func member(_ routing: InsertRouting, latency: Int) -> InsertMember {
        let processor = PluginProcessor(
            run: { context, frames, _ in
                guard let state = context?.assumingMemoryBound(to: State.self) else { return }
                for i in 0..<Int(frames) { state.pointee.outputs[0][i] = Instrument.sound(state.pointee.frame + i) }
                state.pointee.frame += Int(frames)
            }, restart: { _ in }, context: state, inputs: room.pointers, inputCount: 0, outputs: room.pointers,
            outputCount: routing.outputs[0].count)
        return InsertMember(
            [processor], routing: routing, latency: latency, sampleRate: .studio, slice: 64, keeping: [self])
    }
}
