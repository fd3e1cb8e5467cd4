import CSndFile

/// How samples are stored in a file that is written.
package enum SampleEncoding: String, CaseIterable, Hashable, Sendable {
    /// 32-bit floating point.
    case float32 = "32f"
    /// 64-bit floating point.
    case float64 = "64f"
    /// Whole numbers of 8 bits.
    case pcm8 = "8"
    /// Whole numbers of 16 bits.
    case pcm16 = "16"
    /// Whole numbers of 24 bits.
    case pcm24 = "24"
    /// Whole numbers of 32 bits.
    case pcm32 = "32"

    /// For people.
    var words: String {
        switch self {
        case .float32: "32-bit floating point"
        case .float64: "64-bit floating point"
        case .pcm8, .pcm16, .pcm24, .pcm32: "\(rawValue) bits"
        }
    }

    /// Bits of whole numbers; nil for floating point.
    package var bits: Int? {
        switch self {
        case .float32, .float64: nil
        case .pcm8: 8
        case .pcm16: 16
        case .pcm24: 24
        case .pcm32: 32
        }
    }

    /// Whether it holds nothing beyond full scale.
    package var isWhole: Bool { bits != nil }

    /// libsndfile's number: whole numbers of 8 bits are unsigned in WAVE files, signed in all others.
    func subtype(in format: SoundFileFormat) -> Int {
        switch self {
        case .float32: SF_FORMAT_FLOAT
        case .float64: SF_FORMAT_DOUBLE
        case .pcm8: format.isWave || format == .w64 ? SF_FORMAT_PCM_U8 : SF_FORMAT_PCM_S8
        case .pcm16: SF_FORMAT_PCM_16
        case .pcm24: SF_FORMAT_PCM_24
        case .pcm32: SF_FORMAT_PCM_32
        }
    }
}

/// The container a file is written in, chosen by the extension of its name unless it is named.
package enum SoundFileFormat: String, CaseIterable, Hashable, Sendable {
    case wav, rf64, bw64, w64, caf, aiff, flac

    /// Extensions understood, as users write them.
    package static let extensions = [".wav", ".wave", ".rf64", ".bw64", ".w64", ".caf", ".aiff", ".aif", ".flac"]

    /// Whether a name ends as one of these, in letters of either case.
    package static func isNamed(_ path: String) -> Bool {
        let name = path.lowercased()
        return extensions.contains { name.hasSuffix($0) }
    }

    /// The format by extension; WAV for a name without one (a pipe, a device); nil for an unknown one.
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
        case "w64": self = .w64
        case "caf": self = .caf
        case "aiff", "aif": self = .aiff
        case "flac": self = .flac
        default: return nil
        }
    }

    /// Why samples cannot be stored so in files of this format, whatever their channels and rate; nil where they can.
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

    /// 32-bit float where the container has it.
    var defaultEncoding: SampleEncoding { self == .flac ? .pcm24 : .float32 }

    /// Whether it is one of the RIFF family.
    var isWave: Bool { self == .wav || self == .rf64 || self == .bw64 }

    /// WAV is opened as RF64 and becomes plain RIFF on closing if it stayed under 4 GB. BW64 (ITU-R BS.2088) is RF64 by
    /// another name, which the finished file is given: libsndfile 1.2.0 does not know it.
    var container: Int {
        switch self {
        case .wav, .rf64, .bw64: SF_FORMAT_RF64
        case .w64: SF_FORMAT_W64
        case .caf: SF_FORMAT_CAF
        case .aiff: SF_FORMAT_AIFF
        case .flac: SF_FORMAT_FLAC
        }
    }
}
