import AudioIO
import Offline

/// Description of an input's or an output's samples in the words of ffmpeg and sox.
struct SampleWords {
    /// Sample rate and count of channels, as typed.
    var rate: String?, channels: String?
    /// Bits of a sample, as typed.
    var bits: String?
    /// Whether samples are floating point; nil: not stated.
    private var isFloat: Bool?
    /// Whether the highest byte comes first; nil: not stated.
    var isBig: Bool?
    /// Container, of those that this program writes.
    private(set) var format: String?
    /// Whether the sound has no header.
    private(set) var isRaw = false

    /// The encoding as a value of `--bits`; nil: not stated.
    var encodingName: String? {
        guard let bits = bits ?? (isFloat == true ? "32" : nil) else { return nil }
        return bits + (isFloat == true ? "f" : "")
    }

    /// Options that describe an input without a header; nil without rate and channels.
    var readingOptions: [[String]]? {
        guard let rate, let channels else { return nil }
        let endian = isBig.map { ["--input-endian", $0 ? "big" : "little"] }
        return [["--input-rate", rate], ["--input-channels", channels]]
            + [encodingName.map { ["--input-bits", $0] }, isBig == true ? endian : nil].compactMap(\.self)
    }

    /// Takes a container, or the samples of sound without a header (`s16le`); returns whether it is known.
    mutating func takeFormat(_ name: String, isInput: Bool) -> Bool {
        if name == "raw" {
            isRaw = true
        } else if takeSamples(name) {
            isRaw = true
            if isBig == true, !isInput { return false }
        } else {
            guard let known = SoundFileFormat(path: "a." + name) else { return false }
            format = known.rawValue
            // The container of an input is read from its header.
            if isInput { format = nil }
            return true
        }
        if !isInput { format = "raw" }
        return true
    }

    /// Takes a codec or sample format of ffmpeg; returns whether it is known.
    mutating func takeCodec(_ name: String) -> Bool {
        switch name {
        case "copy": return true
        case "flac": format = "flac"
        case "libvorbis", "vorbis": format = "ogg"
        case "libopus", "opus": format = "opus"
        case "libmp3lame", "mp3": format = "mp3"
        default:
            let plain = name.hasPrefix("pcm_") ? String(name.dropFirst(4)) : name
            let words = ["flt": "f32", "fltp": "f32", "dbl": "f64", "dblp": "f64", "s16p": "s16", "s32p": "s32"]
            return takeSamples(words[plain] ?? plain)
        }
        return true
    }

    /// Takes an encoding of sox; returns whether it is known.
    mutating func takeEncoding(_ name: String) -> Bool {
        guard let kind = ["signed-integer", "unsigned-integer", "floating-point"].first(where: { $0.hasPrefix(name) })
        else { return false }
        isFloat = kind == "floating-point"
        return true
    }

    /// Takes a sample format such as `s16le` or `f32`; returns whether it is known.
    private mutating func takeSamples(_ name: String) -> Bool {
        let plain = name.hasSuffix("le") || name.hasSuffix("be") ? String(name.dropLast(2)) : name
        guard ["u8", "s16", "s24", "s32", "f32", "f64"].contains(plain) else { return false }
        (bits, isFloat) = (String(plain.dropFirst()), plain.hasPrefix("f"))
        if plain != name { isBig = name.hasSuffix("be") }
        return true
    }

    /// Whether a text is a number or a time.
    static func isNumber(_ text: String?) -> Bool {
        guard let text else { return false }
        return Double(text) != nil || (try? SoundTime(text)) != nil
    }
}
