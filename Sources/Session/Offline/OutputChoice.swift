import AudioIO
import Signal
import Soundstage

/// How a sound file is written, in the words of the command line.
package struct OutputChoice: Sendable {
    /// Containers.
    package enum Format: String, Sendable, CaseIterable { case wav, rf64, bw64, w64, caf, aiff, flac }

    /// How samples are stored: whole numbers, or floating point (`f`).
    package enum Bits: String, Sendable, CaseIterable {
        case b8 = "8"
        case b16 = "16"
        case b24 = "24"
        case b32 = "32"
        case f32 = "32f"
        case f64 = "64f"

        var encoding: SampleEncoding {
            switch self {
            case .b8: .pcm8
            case .b16: .pcm16
            case .b24: .pcm24
            case .b32: .pcm32
            case .f32: .float32
            case .f64: .float64
            }
        }
    }

    /// The container; nil: what the name's extension says.
    package var format: Format?
    /// How samples are stored; nil: 32-bit float, in FLAC 24 bits.
    package var bits: Bits?

    /// Both choices.
    package init(format: Format? = nil, bits: Bits? = nil) {
        self.format = format
        self.bits = bits
    }

    /// Whether samples beyond full scale are cut: whole numbers hold none.
    func clips(_ writer: SoundFileWriter) -> Bool {
        switch bits {
        case .f32, .f64: false
        case nil: writer.format == .flac
        default: true
        }
    }

    /// Opens a file for a layout's channels.
    ///
    /// - Parameter layout: nil for the two ears or any other sound without loudspeakers.
    /// - Throws: `SessionError`, also for FLAC, whose channel orders are fixed, where the layout is none of its own.
    func open(
        _ path: String, layout: Layout? = nil, channels: Int, sampleRate: SampleRate, metadata: SoundFileMetadata
    ) throws(SessionError) -> SoundFileWriter {
        let format = format.flatMap { SoundFileFormat(rawValue: $0.rawValue) } ?? SoundFileFormat(path: path)
        if format == .flac, let layout, layout.ambisonics == nil,
            !["mono", "stereo", "5.1", "7.1"].contains(layout.name)
        {
            throw SessionError(
                .usage,
                "FLAC holds mono, stereo, 5.1 and 7.1 and cannot say that its channels are \(layout.name); write .wav or .caf"
            )
        }
        do throws(SoundFileError) {
            return try SoundFileWriter(
                path: path, channels: channels, sampleRate: sampleRate, encoding: bits?.encoding,
                channelPositions: layout.flatMap(Self.positions), format: format, metadata: metadata)
        } catch {
            throw SessionError(error)
        }
    }

    /// WAVE bits of a layout's channels; nil where one has none, and for one channel, which needs none.
    private static func positions(_ layout: Layout) -> [UInt32]? {
        let positions = layout.loudspeakers.compactMap(\.waveMask)
        return positions.count == layout.channelCount && positions.count > 1 ? positions : nil
    }
}
