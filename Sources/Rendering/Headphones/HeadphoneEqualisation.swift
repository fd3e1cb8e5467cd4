import Headphones
import Signal

/// An equalisation of headphones for two channels that belong to no stage, as the output stage plays it: no latency,
/// the same samples however they are cut into calls. One thread at a time.
package final class HeadphoneEqualisation {
    /// Frames worked on at a time.
    private static let slice = 64
    private var player: HeadphonePlayer

    /// An equalisation at rest; some milliseconds.
    package init(_ filter: HeadphoneFilter) {
        player = HeadphonePlayer(filter, slice: Self.slice, sampleRate: filter.sampleRate.hertz)
    }

    /// Forgets everything heard.
    package func restart() { player.reset(isOn: true) }

    /// Works on `count` frames of the left and the right channel in place.
    package func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int) {
        for done in stride(from: 0, to: count, by: Self.slice) {
            player.process(left + done, right + done, count: min(Self.slice, count - done), isOn: true)
        }
    }
}
