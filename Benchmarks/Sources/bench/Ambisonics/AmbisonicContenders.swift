/// Our engines for ambisonics.
enum AmbisonicContenders {
    /// The whole ambisonic stage (rotation per slice and decoding to two ears) with the head turning, nil where the product
    /// has none: `Entry(.ours) { try …Contender(work) }`.
    static func turning(_ work: AmbisonicWork) -> Entry? { nil }
    /// Decoding alone, the head at rest, with the taps of its filters: `response(channel, ear)` gives those to the peers.
    static func still(_ work: AmbisonicWork) -> AmbisonicDecoder? { nil }
}

/// A decoder whose filters others may use.
struct AmbisonicDecoder {
    let entry: Entry
    let taps: Int
    /// `taps` coefficients of a channel and an ear; they live as long as this value.
    let response: (_ channel: Int, _ ear: Int) -> UnsafePointer<Float>
}
