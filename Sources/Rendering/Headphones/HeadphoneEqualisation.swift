import Headphones
import Signal

/// Headphone equalisation of two channels outside a stage. As in the output stage, it adds no latency, and the output
/// does not depend on the division of the input into calls. One thread may use it at a time.
package final class HeadphoneEqualisation {
    /// Most frames that are processed at a time.
    private static let slice = 64
    private var player: HeadphonePlayer

    /// Makes an equalisation at rest. Takes some milliseconds.
    package init(_ filter: HeadphoneFilter) {
        player = HeadphonePlayer(filter, slice: Self.slice, sampleRate: filter.sampleRate.hertz)
    }

    /// Resets to silence.
    package func restart() { player.reset(isOn: true) }

    /// Equalises `count` frames of the left and the right channel in place.
    package func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int) {
        for done in stride(from: 0, to: count, by: Self.slice) {
            player.process(left + done, right + done, count: min(Self.slice, count - done), isOn: true)
        }
    }
}
