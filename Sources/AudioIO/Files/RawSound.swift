import CSndFile
import Signal

/// Description that the user gives of sound without a header.
package struct RawSound: Hashable, Sendable {
    /// Sample rate.
    package var sampleRate: SampleRate
    /// Number of interleaved channels; 1…1024 can be read.
    package var channels: Int
    /// Encoding of the samples.
    package var encoding: SampleEncoding
    /// Whether the highest byte of a sample comes first.
    package var isBigEndian: Bool

    /// Makes a description; see the properties.
    package init(
        sampleRate: SampleRate, channels: Int, encoding: SampleEncoding = .float32, isBigEndian: Bool = false
    ) {
        (self.sampleRate, self.channels) = (sampleRate, channels)
        (self.encoding, self.isBigEndian) = (encoding, isBigEndian)
    }

    /// libsndfile's description. Integers of 8 bits are unsigned, as in WAVE.
    var info: SF_INFO {
        var info = SF_INFO()
        info.samplerate = Int32(sampleRate.hertz.rounded())
        info.channels = Int32(channels)
        let subtype = encoding == .pcm8 ? SF_FORMAT_PCM_U8 : encoding.subtype(in: .raw)
        info.format = Int32(SF_FORMAT_RAW | subtype | (isBigEndian ? SF_ENDIAN_BIG : SF_ENDIAN_LITTLE))
        return info
    }

    /// Describes the sound of a RIFF file if the sound is longer than the header can declare. Programs write such files
    /// into pipes. Above 4 GB the 32-bit size of the sound has no meaning. Returns nil for any other file, and for
    /// samples or a rate that cannot be read.
    init?(longerThanSaid chunks: FileChunks, descriptor: Int32) {
        guard chunks.container == .riff, let data = chunks["data"], let format = chunks["fmt "],
            chunks.fileSize - data.offset > Int(UInt32.max) - 8, chunks.isUnended || data.size >= 0x7FFF_F000,
            let bytes = chunks.content(format, limit: 40, descriptor: descriptor), bytes.count >= 16
        else { return nil }
        var code = chunks.number(bytes[0..<2])
        if code == 0xFFFE, bytes.count >= 26 { code = chunks.number(bytes[24..<26]) }
        let encodings: [UInt64: [UInt64: SampleEncoding]] = [
            1: [8: .pcm8, 16: .pcm16, 24: .pcm24, 32: .pcm32], 3: [32: .float32, 64: .float64],
        ]
        guard let encoding = encodings[code]?[chunks.number(bytes[14..<16])],
            let rate = SampleRate(hertz: Double(chunks.number(bytes[4..<8])))
        else { return nil }
        self.init(sampleRate: rate, channels: Int(chunks.number(bytes[2..<4])), encoding: encoding)
    }
}
