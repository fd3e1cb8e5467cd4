import CSndFile
import Signal

/// What each format can store: compression with losses, layouts, sample rates, and the order of the channels.
extension SoundFileFormat {
    /// Extension of a file, without its dot.
    package var ending: String { rawValue }

    /// libsndfile's code of the compression; nil for formats that store samples.
    var compression: Int? {
        switch self {
        case .ogg: SF_FORMAT_VORBIS
        case .opus: SF_FORMAT_OPUS
        case .mp3: SF_FORMAT_MPEG_LAYER_III
        case .wav, .rf64, .bw64, .amb, .w64, .caf, .aiff, .flac, .raw: nil
        }
    }

    /// Names of the layouts that the format declares by the number of channels. Nil if the format can declare any
    /// layout, or none.
    ///
    /// FLAC: RFC 9639, 9.1.3; Vorbis I specification, 4.3.9; Opus: RFC 7845, 5.1.1.2. In these formats the channels of
    /// a sound field would count as loudspeakers, so callers refuse a sound field.
    package var layouts: [String]? {
        switch self {
        case .flac, .ogg, .opus: ["mono", "stereo", "lcr", "quad", "5.0", "5.1", "6.1", "7.1"]
        case .mp3: ["mono", "stereo"]
        case .wav, .rf64, .bw64, .amb, .w64, .caf, .aiff, .raw: nil
        }
    }

    /// Sample rates that the format can store, Hz. Nil if it can store any rate that libsndfile writes. Opus: RFC 6716,
    /// 2; MP3: ISO/IEC 11172-3, 2.4.2.3; 13818-3, 2.4.2.3; and half the rates of the latter (MPEG-2.5).
    private var rates: [Double]? {
        switch self {
        case .opus: [8000, 12_000, 16_000, 24_000, 48_000]
        case .mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
        default: nil
        }
    }

    /// Returns the reason why the format cannot store such sound; nil if none is known here. libsndfile may then still
    /// refuse it.
    func refusal(channels: Int, rate: SampleRate, encoding: SampleEncoding?) -> String? {
        if compression != nil, let encoding {
            return "it compresses with losses and has no samples of \(encoding.words); leave out --bits"
        }
        if let rates, !rates.contains(rate.hertz) {
            let known = rates.map { "\(Int($0))" }.joined(separator: ", ")
            return "it has the rates \(known) Hz, not \(rate); say --rate \(rates.contains(44_100) ? "44100" : "48000")"
        }
        if self == .amb, !BFormat.holds(channels) {
            return "it holds a sound field of 4, 9 or 16 channels, not \(channels); write .wav"
        }
        if self == .mp3, channels > 2 {
            return "it has one channel or two, not \(channels); fold down first: --to stereo"
        }
        return nil
    }

    /// Returns, for each channel of the file, the index of the sound's channel that it contains. Only Vorbis and Opus
    /// need another order than that of WAVE. Returns nil for all other formats, and if the positions are unknown or do
    /// not match the format's order.
    ///
    /// Vorbis and Opus have the same fixed order for each number of channels from 1 to 8. libsndfile does not reorder
    /// channels.
    func order(of positions: [UInt32]?) -> [Int]? {
        guard self == .ogg || self == .opus, let positions, let own = ChannelPositions.vorbis[positions.count] else {
            return nil
        }
        let found = own.compactMap { position in
            positions.firstIndex(of: position)
                ?? positions.firstIndex { $0 == ChannelPositions.otherSurround(position) }
        }
        return found.count == positions.count && Set(found).count == found.count ? found : nil
    }
}
