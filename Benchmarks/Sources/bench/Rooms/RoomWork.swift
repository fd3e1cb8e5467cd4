import CPeers
import Glibc
import Signal

/// Task of a room cell, the same for all engines: fixed room responses for each source and ear.
final class RoomWork {
    let sources: Int
    /// Frames per call, and per slice of the product's convolver.
    let slice: Int
    let taps: Int
    let sampleRate = 48_000.0
    let programme: Programme
    /// Whether all sources have one tail from `earlyTaps` on, so that an engine may convolve it once for all of them.
    let isTailShared: Bool
    /// First tap of a shared tail: 80 ms.
    let earlyTaps = 3840
    /// Impulse responses, `[source][ear][tap]`.
    private let responses: UnsafeMutablePointer<Float>

    init(sources: Int, slice: Int, taps: Int, isTailShared: Bool) {
        self.sources = sources
        self.slice = slice
        self.taps = taps
        self.isTailShared = isTailShared
        programme = Programme(channels: sources, period: slice)
        responses = AlignedMemory.allocate(Float.self, count: sources * 2 * taps)
        var noise = Noise(seed: 0xABCD_EF01_2345_6789)
        for source in 0..<sources {
            for ear in 0..<2 {
                let row = responses + (2 * source + ear) * taps
                for tap in 0..<taps {
                    row[tap] =
                        isTailShared && source > 0 && tap >= earlyTaps
                        ? responses[ear * taps + tap] : noise.next() * Float(exp(-6.9 * Double(tap) / Double(taps)))
                }
            }
        }
    }

    deinit { responses.deallocate() }

    /// Returns the `taps` coefficients for a source and an ear.
    func response(source: Int, ear: Int) -> UnsafePointer<Float> {
        UnsafePointer(responses + (2 * source + ear) * taps)
    }
}

/// Output of the room by direct convolution in double precision.
final class RoomTruth: Truth {
    let name = "direct convolution in double precision"
    private let work: RoomWork

    init(_ work: RoomWork) { self.work = work }

    func result(ofStep index: Int, rows: inout [[Double]]) {
        let first = index * work.slice
        for source in 0..<work.sources {
            let x = (-(work.taps - 1)..<work.slice).map { work.programme.sample(channel: source, frame: first + $0) }
            x.withUnsafeBufferPointer { x in
                guard let base = x.baseAddress else { return }
                for ear in 0..<2 {
                    peer_direct(
                        work.slice, work.taps, base + work.taps - 1, work.response(source: source, ear: ear), &rows[ear]
                    )
                }
            }
        }
    }
}
