import Geometry
import Signal
import Soundstage

/// Order of the responses in HeSuVi's sound files, and in the `hesuvi.wav` of Impulcifer: seven loudspeakers, each with
/// a channel for the left ear and one for the right ear. No layout has this order. A file is read in this order if its
/// name contains `hesuvi`.
struct HeSuViOrder {
    /// One loudspeaker, and the channels of its responses.
    struct Pair: Equatable {
        let channel: Channel
        let left: Int
        let right: Int
    }

    let pairs: [Pair]

    /// Returns the order of a file; nil unless its name contains "hesuvi" and it has 14 or 7 channels. With 7 channels
    /// the loudspeakers on the right have the mirrored responses of those on the left.
    init?(name: String, channels: Int) {
        guard name.lowercased().contains("hesuvi"), channels == 14 || channels == 7 else { return nil }
        let left: [Channel] = [.frontLeft, .sideLeft, .backLeft]
        let right: [Channel] = [.frontRight, .sideRight, .backRight]
        let isMirrored = channels == 7
        pairs =
            left.indices.map { Pair(channel: left[$0], left: 2 * $0, right: 2 * $0 + 1) }
            + [Pair(channel: .frontCentre, left: 6, right: isMirrored ? 6 : 13)]
            + right.indices.map { index in
                isMirrored
                    ? Pair(channel: right[index], left: 2 * index + 1, right: 2 * index)
                    : Pair(channel: right[index], left: 8 + 2 * index, right: 7 + 2 * index)
            }
    }

    /// Remark for the report on the room.
    var remark: String {
        "its channels are read in HeSuVi's order, by its name: " + pairs.map(\.channel.rawValue).joined(separator: " ")
    }

    /// Directions of the loudspeakers: those of the layout 7.1.
    var directions: [Direction<Stage>?] {
        let places = (try? Layout.named("7.1"))?.loudspeakers ?? []
        return pairs.map { pair in places.first { $0.symbol == pair.channel.rawValue }?.direction }
    }
}
