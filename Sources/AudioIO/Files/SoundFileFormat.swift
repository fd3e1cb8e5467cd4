import CSndFile

/// Encoding of the samples in a file that is written.
package enum SampleEncoding: String, CaseIterable, Hashable, Sendable {
    /// 32-bit floating point.
    case float32 = "32f"
    /// 64-bit floating point.
    case float64 = "64f"
    /// Integers of 8 bits.
    case pcm8 = "8"
    /// Integers of 16 bits.
    case pcm16 = "16"
    /// Integers of 24 bits.
    case pcm24 = "24"
    /// Integers of 32 bits.
    case pcm32 = "32"

    /// Text for the user.
    var words: String {
        switch self {
        case .float32: "32-bit floating point"
        case .float64: "64-bit floating point"
        case .pcm8, .pcm16, .pcm24, .pcm32: "\(rawValue) bits"
        }
    }

    /// Bytes of a sample.
    var byteCount: Int {
        switch self {
        case .pcm8: 1
        case .pcm16: 2
        case .pcm24: 3
        case .pcm32, .float32: 4
        case .float64: 8
        }
    }

    /// Number of bits of an integer encoding; nil for floating point.
    package var bits: Int? {
        switch self {
        case .float32, .float64: nil
        case .pcm8: 8
        case .pcm16: 16
        case .pcm24: 24
        case .pcm32: 32
        }
    }

    /// Whether the encoding is limited to full scale.
    package var isWhole: Bool { bits != nil }

    /// Returns libsndfile's code. Integers of 8 bits are unsigned in WAVE, W64 and raw files, and signed in all others.
    func subtype(in format: SoundFileFormat) -> Int {
        switch self {
        case .float32: SF_FORMAT_FLOAT
        case .float64: SF_FORMAT_DOUBLE
        case .pcm8: format.isWave || format == .w64 || format == .raw ? SF_FORMAT_PCM_U8 : SF_FORMAT_PCM_S8
        case .pcm16: SF_FORMAT_PCM_16
        case .pcm24: SF_FORMAT_PCM_24
        case .pcm32: SF_FORMAT_PCM_32
        }
    }
}

/// Container of a file that is written. Unless it is specified, the extension of the file's name determines it.
package enum SoundFileFormat: String, CaseIterable, Hashable, Sendable {
    case wav, rf64, bw64
    /// B-format in WAVE. It contains only a sound field of order 1 to 3 in Furse-Malham's order and scale.
    case amb
    case w64, caf, aiff, flac
    /// Interleaved samples without a header, lowest byte first. No extension selects this format.
    case raw
    /// Compressed with losses: Vorbis and Opus in Ogg, MPEG-1 layer III. libsndfile's standard qualities are used.
    case ogg, opus, mp3

    /// Extensions of files for channels of any kind, in lower case. `.amb` is not among them, because it is only for
    /// sound fields.
    package static let extensions = [
        ".wav", ".wave", ".rf64", ".bw64", ".w64", ".caf", ".aiff", ".aif", ".flac", ".ogg", ".oga", ".opus", ".mp3",
    ]

    /// Returns whether a name has one of these extensions, regardless of case.
    package static func isNamed(_ path: String) -> Bool {
        let name = path.lowercased()
        return extensions.contains { name.hasSuffix($0) }
    }

    /// Returns the format of an extension. It is WAV for a name without an extension (a pipe, a device), and nil for an
    /// unknown extension.
    package init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            self = .wav
            return
        }
        switch name[name.index(after: dot)...].lowercased() {
        case "wav", "wave": self = .wav
        case "rf64": self = .rf64
        case "bw64": self = .bw64
        case "amb": self = .amb
        case "w64": self = .w64
        case "caf": self = .caf
        case "aiff", "aif": self = .aiff
        case "flac": self = .flac
        case "ogg", "oga": self = .ogg
        case "opus": self = .opus
        case "mp3": self = .mp3
        default: return nil
        }
    }

    /// Returns the reason why the format cannot store an encoding, whatever the number of channels and the rate; nil if
    /// it can.
    func refusal(of encoding: SampleEncoding) -> String? {
        func holds(_ encoding: SampleEncoding) -> Bool {
            var info = SF_INFO()
            (info.channels, info.samplerate) = (1, 48_000)
            info.format = Int32(container | encoding.subtype(in: self))
            return sf_format_check(&info) == SF_TRUE
        }
        guard !holds(encoding) else { return nil }
        let held = SampleEncoding.allCases.filter(holds).map(\.rawValue)
        return "it holds no samples of \(encoding.words); take --bits \(held.joined(separator: ", ")), or write .wav"
    }

    /// 24 bits in FLAC, otherwise 32-bit floating point.
    var defaultEncoding: SampleEncoding { self == .flac ? .pcm24 : .float32 }

    /// Whether the format belongs to the RIFF family.
    package var isWave: Bool { self == .wav || self == .rf64 || self == .bw64 || self == .amb }

    /// Whether a file can declare the loudspeaker of each channel, for any number of channels. The channels are then
    /// written in the order of a channel mask.
    package var declaresPositions: Bool { isWave || self == .caf }

    /// libsndfile's container. WAV and B-format are opened as RF64 and become plain RIFF on closing if they are smaller
    /// than 4 GB. BW64 (ITU-R BS.2088) is written as RF64 and renamed in the finished file, because libsndfile 1.2.0
    /// does not support it.
    var container: Int {
        switch self {
        case .wav, .rf64, .bw64, .amb: SF_FORMAT_RF64
        case .w64: SF_FORMAT_W64
        case .caf: SF_FORMAT_CAF
        case .aiff: SF_FORMAT_AIFF
        case .flac: SF_FORMAT_FLAC
        case .raw: SF_FORMAT_RAW | SF_ENDIAN_LITTLE
        case .ogg, .opus: SF_FORMAT_OGG
        case .mp3: SF_FORMAT_MPEG
        }
    }
}
