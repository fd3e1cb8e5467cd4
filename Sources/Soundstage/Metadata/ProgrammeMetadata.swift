/// Metadata of a programme beside its samples: its loudness, and how it is to be played.
///
/// Kept in a JSON file beside the sound file, named after it: `song.wav` and `song.wav.json`. The extension is kept, so
/// that `song.wav` and `song.flac` may differ and each pair is adjacent in every listing. Everything is optional; an
/// absent value is unknown. `ProgrammeMetadata+JSON.swift` lists the keys.
package struct ProgrammeMetadata: Hashable, Sendable, Encodable {
    /// Integrated loudness, LUFS (BS.1770), −70…5.
    package var loudness: Double?
    /// Loudness range, LU (EBU Tech 3342), 0…70.
    package var loudnessRange: Double?
    /// Largest true peak of all channels, dBTP, −150…30.
    package var truePeak: Double?
    /// Level of the dialogue, −31…−1; 0, which is reserved, is read as −31.
    package var dialnorm: Int?
    /// Profile by which its dynamics are compressed.
    package var drc: CompressionProfile?
    /// Name of its layout, as for `--layout`.
    package var layout: String?
    /// Order of its channels where the sound file does not state it.
    package var order: ChannelOrder?
    /// Encoding of its two channels, where they are more than left and right.
    package var encoding: Encoding?
    /// Its kind, which decides whether it is spatialized: `av` or `audio`.
    package var content: ProgrammeContent?
    /// Rotation of its own front on the stage.
    package var place: Place?
    /// Total angle over which each of its sources is spread, degrees, 0…180: the `width` of the Audio Definition Model
    /// (ITU-R BS.2076), with the same range.
    package var width: Double?

    /// Encoding of more channels in two.
    package enum Encoding: String, CaseIterable, Hashable, Sendable, Encodable {
        /// Left total and right total of a 5-2-5 or 7-2-7 matrix.
        case ltrt = "lt-rt"
    }

    /// The sound that the metadata describe; nil: any content of the file.
    package var sound: Sound?

    /// Identity of a sound by its content.
    package struct Sound: Hashable, Sendable, Encodable {
        /// Length, frames.
        package var frames: Int
        /// SHA-256 of its samples, 64 hexadecimal digits.
        package var sha256: String

        /// Makes the identity from both.
        package init(frames: Int, sha256: String) { (self.frames, self.sha256) = (frames, sha256) }
    }

    /// A rotation of the whole programme, degrees: yaw to the left, pitch up, roll with the right side down.
    package struct Place: Hashable, Sendable, Encodable {
        /// −180…180.
        package var yaw: Double
        /// −90…90.
        package var pitch: Double
        /// −180…180.
        package var roll: Double

        /// Makes a rotation; by default none.
        package init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
            (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
        }
    }

    /// Makes empty metadata.
    package init() {}

    /// Whether no value is set.
    package var isEmpty: Bool { self == ProgrammeMetadata() }

    /// Returns the path of the metadata of a sound file.
    package static func path(besideFile path: String) -> String { path + ".json" }
}

extension CompressionProfile: Encodable {
    /// Encodes the profile as its name.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}

extension ChannelOrder: Encodable {}

extension ProgrammeContent: Encodable {}
