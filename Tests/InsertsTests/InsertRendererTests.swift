import FakePlugins
import Inserts
import Signal
import Testing

@Suite struct InsertRendererTests {
    @Test func `Chains asked for before the first slice are in force from its first frame`() {
        let bench = ChainBench()
        var chains = bench.chains
        chains[0] = [FakePlugin(channels: 2, delay: 10, gain: 0.5).request(channels: 2)]
        bench.renderer.ask(for: chains)
        bench.run(frames: 640, piece: 37)
        #expect(bench.heard[0] == (0..<640).map { 0.5 * ChainBench.tone($0 - 10) })
        #expect(bench.heard[1] == bench.heard[0])
        // The other programme waits for the first.
        #expect(bench.heard[2] == (0..<640).map { ChainBench.tone($0 - 10) })
        #expect(bench.renderer.latency == InsertLatency(beforeEars: 10, afterEars: 0))
    }

    @Test func `An insert under signal is the crossfade of both steady chains, in all places at once`() {
        let bench = ChainBench()
        bench.run(frames: 6400)
        var chains = bench.chains
        chains[0] = [FakePlugin(channels: 2, delay: 240).request(channels: 2)]
        bench.renderer.ask(for: chains)
        bench.settle(piece: 50)
        bench.run(frames: 640)
        let curve = InsertFade.curve(sampleRate: .studio)
        let begins = (0..<bench.heard[0].count).first { bench.heard[0][$0] != ChainBench.tone($0) } ?? 0
        // The first weight is so small that it may change no bit.
        let start = (begins - 8...begins).first { start in
            [0, 2].allSatisfy { channel in
                bench.heard[channel].indices.allSatisfy { frame in
                    let weight = frame < start ? 0 : curve[min(frame - start, curve.count - 1)]
                    let (old, new) = (ChainBench.tone(frame), ChainBench.tone(frame - 240))
                    return abs(bench.heard[channel][frame] - (old + (new - old) * weight)) < 1e-6
                }
            }
        }
        #expect(start != nil)
        #expect(bench.renderer.latency.beforeEars == 240)
    }

    @Test func `While linked instances are asked for something, none of them takes it up`() throws {
        let bench = ChainBench()
        let linked = [FakePlugin(), FakePlugin()]
        let member = InsertMember(
            linked.map(\.processor),
            routing: try #require(InsertRouting(channels: 2, pluginInputs: 1, pluginOutputs: 1)), latency: 0,
            sampleRate: .studio, slice: 64, keeping: linked)
        var chains = bench.chains
        chains[0] = [InsertRequest(member, latency: 0)]
        bench.renderer.ask(for: chains)
        bench.run(frames: 640, offline: false)
        #expect(linked.map(\.state.pointee.deafRuns) == [0, 0])
        member.together { bench.run(frames: 128, offline: false) }
        bench.run(frames: 640, offline: false)
        #expect(linked.map(\.state.pointee.deafRuns) == [2, 2])
        #expect(linked.map(\.state.pointee.runs) == [22, 22])
        #expect(bench.heard[0] == (0..<bench.frame).map { ChainBench.tone($0) })
    }

    @Test func `Bypass keeps the latency, and passes the sound as it is`() {
        let bench = ChainBench()
        var chains = bench.chains
        let plugin = FakePlugin(channels: 2, delay: 64, gain: 0.25)
        let member = plugin.member(channels: 2)
        chains[0] = [InsertRequest(member, latency: 64)]
        bench.renderer.ask(for: chains)
        bench.run(frames: 640)
        chains[0] = [InsertRequest(member, isBypassed: true, latency: 64)]
        bench.renderer.ask(for: chains)
        bench.settle()
        let from = bench.frame
        bench.run(frames: 640)
        #expect(bench.heard[0][from...].elementsEqual((from..<from + 640).map { ChainBench.tone($0 - 64) }))
        #expect(bench.renderer.latency.beforeEars == 64)
    }

    @Test func `Inserts that change places are heard as a chain without them in between`() {
        let bench = ChainBench()
        let (one, two) = (FakePlugin(channels: 2, delay: 5), FakePlugin(channels: 2, delay: 7, gain: 0.5))
        let requests = [one.request(channels: 2), two.request(channels: 2)]
        var chains = bench.chains
        chains[0] = requests
        bench.renderer.ask(for: chains)
        bench.run(frames: 640)
        chains[0] = requests.reversed()
        bench.renderer.ask(for: chains)
        bench.settle()
        bench.run(frames: 64)
        #expect(
            bench.heard[0].suffix(64).elementsEqual(
                (bench.frame - 64..<bench.frame).map {
                    0.5 * ChainBench.tone($0 - 12)
                }))
        let steps = zip(bench.heard[0].dropFirst(20), bench.heard[0].dropFirst(21)).map { abs($0 - $1) }
        #expect((steps.max() ?? 1) < 0.5 * 2 * .pi * 1000 / 48_000 * 1.05)
    }

    @Test func `Loudspeakers and programmes are as late as the latest, whatever they pass`() {
        let bench = ChainBench()
        var chains = bench.chains
        chains[bench.places.loudspeaker(1)] = [FakePlugin(delay: 33).request()]
        chains[bench.places.programme(1)] = [FakePlugin(delay: 20).request()]
        bench.renderer.ask(for: chains)
        bench.run(frames: 640)
        for channel in 0..<3 { #expect(bench.heard[channel] == (0..<640).map { ChainBench.tone($0 - 53) }) }
    }

    @Test(arguments: [FakePlugin.Fault.notANumber, .growing])
    func `A plugin whose output is no sound is taken out without a step`(fault: FakePlugin.Fault) {
        let bench = ChainBench()
        let plugin = FakePlugin(channels: 2, fault: fault, at: 960)
        let request = plugin.request(channels: 2)
        var chains = bench.chains
        chains[0] = [request]
        bench.renderer.ask(for: chains)
        bench.run(frames: 2560)
        #expect(request.member.meter.fault == (fault == .growing ? .runaway : .notANumber))
        #expect(bench.heard[0].allSatisfy { $0.isFinite })
        let steps = zip(bench.heard[0], bench.heard[0].dropFirst()).map { abs($0 - $1) }
        #expect((steps.max() ?? 1) < 0.5 * 2 * .pi * 1000 / 48_000 * 1.2)
        #expect(bench.heard[0].suffix(640).elementsEqual((1920..<2560).map(ChainBench.tone)))
        // The plugin is not run again.
        #expect(plugin.state.pointee.frame < 1100)
    }

    @Test func `A run that holds the audio thread up takes the plugin out, offline it does not`() {
        for offline in [false, true] {
            let bench = ChainBench()
            let request = FakePlugin(channels: 2, gain: 0.5, fault: .stalling, at: 640).request(channels: 2)
            var chains = bench.chains
            chains[0] = [request]
            bench.renderer.ask(for: chains)
            bench.run(frames: 1280, offline: offline)
            #expect(request.member.meter.fault == (offline ? .none : .stalled))
            #expect(request.member.meter.longest >= 250_000_000)
        }
    }

    @Test func `What is removed is let go of`() {
        weak var gone: FakePlugin?
        let bench = ChainBench()
        do {
            let plugin = FakePlugin(channels: 2)
            gone = plugin
            var chains = bench.chains
            chains[0] = [plugin.request(channels: 2)]
            bench.renderer.ask(for: chains)
        }
        bench.run(frames: 640)
        #expect(gone != nil)
        bench.renderer.ask(for: bench.chains)
        bench.settle()
        #expect(gone == nil)
        #expect(bench.renderer.isSettled)
    }

    @Test func `A chain replaced before the audio thread saw it never sounds`() {
        let bench = ChainBench()
        bench.run(frames: 64)
        var chains = bench.chains
        let unheard = FakePlugin(channels: 2, gain: 9)
        chains[0] = [unheard.request(channels: 2)]
        bench.renderer.ask(for: chains)
        bench.renderer.ask(for: bench.chains)
        bench.run(frames: 6400)
        #expect(unheard.state.pointee.runs == 0)
        #expect(bench.heard[0] == (0..<6464).map(ChainBench.tone))
    }
}
