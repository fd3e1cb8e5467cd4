/// Metadata of a programme, apart from its samples: its loudness, and how it has to be played.
///
/// The metadata of `song.wav` are in the JSON file `song.wav.json` in the same folder. The name includes the extension,
/// so that `song.wav` and `song.flac` may have different metadata, and a sound and its metadata are adjacent in an
/// alphabetical listing. All values are optional; an absent value is unknown. `ProgrammeMetadata+JSON.swift` lists the
/// keys.
package struct ProgrammeMetadata: Hashable, Sendable, Encodable {
    /// Integrated loudness, LUFS (BS.1770), −1000…150.
    package var loudness: Double?
    /// Loudness range, LU (EBU Tech 3342), 0…70.
    package var loudnessRange: Double?
    /// Largest true peak of all channels, dBTP, −1000…130.
    package var truePeak: Double?
    /// Level of the dialogue, dB, −31…−1. The value 0, which is reserved, is read as −31.
    package var dialnorm: Int?
    /// Profile by which the programme's dynamics are compressed.
    package var drc: CompressionProfile?
    /// Name of the programme's layout, as for `--layout`.
    package var layout: String?
    /// Order of the channels, if the sound file does not declare it.
    package var order: ChannelOrder?
    /// Encoding of the two channels, if they contain more channels than left and right.
    package var encoding: Encoding?
    /// Kind of the programme, `av` or `audio`. It determines whether the programme is spatialized.
    package var content: ProgrammeContent?
    /// Rotation of the programme relative to the stage.
    package var place: Place?
    /// Angle over which each source is spread, from one end to the other, degrees, 0…180. It is the `width` of the
    /// Audio Definition Model (ITU-R BS.2076), with the same range.
    package var width: Double?

    /// Encoding of more than two channels in two.
    package enum Encoding: String, CaseIterable, Hashable, Sendable, Encodable {
        /// Left total and right total of a 5-2-5 or 7-2-7 matrix.
        case ltrt = "lt-rt"
    }

    /// Identity of the sound that the metadata describe. Nil if the metadata hold for any content of the file.
    package var sound: Sound?

    /// Identity of a sound by its content.
    package struct Sound: Hashable, Sendable, Encodable {
        /// Length, frames.
        package var frames: Int
        /// SHA-256 of its samples, 64 hexadecimal digits.
        package var sha256: String

        /// Makes the identity; see the properties.
        package init(frames: Int, sha256: String) { (self.frames, self.sha256) = (frames, sha256) }
    }

    /// A rotation of the whole programme, degrees. Positive yaw turns to the left, positive pitch upwards, and positive
    /// roll turns the right side down.
    package struct Place: Hashable, Sendable, Encodable {
        /// Yaw, −180…180.
        package var yaw: Double
        /// Pitch, −90…90.
        package var pitch: Double
        /// Roll, −180…180.
        package var roll: Double

        /// Makes a rotation. The default is no rotation.
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

extension ChannelOrder: Encodable {}

extension ProgrammeContent: Encodable {}
