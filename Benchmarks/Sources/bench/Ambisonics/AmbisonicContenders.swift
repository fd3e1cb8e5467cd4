import HRTF

/// The product's contenders for the ambisonic cells.
enum AmbisonicContenders {
    /// The whole ambisonic stage (rotation per slice and decoding to two ears) with the head turning.
    static func turning(_ work: AmbisonicWork) throws -> Entry {
        let field = try Fields.field(taps: 256).field
        return Entry(.ours) { try AmbisonicContender(work, field: field, isTurning: true) }
    }

    /// Decoding alone, the head at rest. `response(channel, ear)` gives the taps of its filters to the peers.
    static func still(_ work: AmbisonicWork) throws -> AmbisonicDecoding {
        let field = try Fields.field(taps: 256).field
        let decoder = AmbisonicDecoder(order: work.order, field: field)
        let filters = DecodingFilters(decoder)
        return AmbisonicDecoding(
            entry: Entry(.ours) { try AmbisonicContender(work, field: field, isTurning: false) },
            taps: decoder.tapCount, response: { filters.response(channel: $0, ear: $1) })
    }
}

/// A decoding engine, and its filters for the peers.
struct AmbisonicDecoding {
    let entry: Entry
    let taps: Int
    /// Returns the `taps` coefficients of a channel and an ear; they live as long as this value.
    let response: (_ channel: Int, _ ear: Int) -> UnsafePointer<Float>
}
