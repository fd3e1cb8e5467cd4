import CRealtime
import FakePlugins
import Inserts
import Signal
import Testing

/// Chains of plugins under RealtimeSanitizer, see `RealtimeTests`.
@Suite struct InsertRealtimeTests {
    @Test func chainsNeitherLockNorAllocateWhileTheyChange() {
        _ = prc_realtime_probe_is_linked()
        let places = InsertPlaces(programmes: [6, 1, 4], ways: [.loudspeakers, .loudspeakers, .field])
        let renderer = InsertRenderer(places, sampleRate: .studio, slice: 64)
        let rows = PlanarBlock(channels: 12, frames: 64)
        let open = places.channels.enumerated().filter { $0.element > 0 }.map(\.offset)
        for channel in 0..<12 { for i in 0..<64 { rows[channel][i] = Float((i * (channel + 3)) % 101) / 101 - 0.5 } }
        let faults: [FakePlugin.Fault] = [.none, .notANumber, .growing]
        var kept: [InsertRequest] = []
        for change in 0..<12 {
            var chains = [[InsertRequest]](repeating: [], count: places.count)
            let fault = faults[change % 3]
            for (place, channels) in [(0, 6), (1, 1), (2, 4), (places.ears, 2)] {
                chains[place] = [
                    FakePlugin(channels: channels, delay: change * 7, fault: fault, at: 2000).request(
                        channels: channels)
                ]
            }
            if change % 4 == 3 { chains[0] = kept.reversed() + chains[0] } else { kept = chains[0] }
            renderer.ask(for: chains)
            for slice in 0..<150 {
                prc_realtime_probe_enter()
                if slice == 149 && change % 5 == 4 { renderer.handle.pointee.restart(offline: false) }
                renderer.handle.pointee.beginSlice(atOnce: change == 0 && slice == 0, offline: false)
                for place in open {
                    renderer.handle.pointee.process(place: place, rows.pointers, count: slice % 7 == 3 ? 17 : 64)
                }
                renderer.handle.pointee.advance(slice % 7 == 3 ? 17 : 64)
                prc_realtime_probe_exit()
                renderer.advance()
            }
            #expect(renderer.isSettled)
        }
    }
}
