/// What is known of a programme beside its samples: how loud it is, and how it wants to be played.
///
/// Kept in a JSON file beside the sound file, named after it: `song.wav` and `song.wav.json`. The whole name stays in
/// front, so that `song.wav` and `song.flac` may differ and the two are neighbours in every listing. Everything is
/// optional; what is absent is not known. `ProgrammeMetadata+JSON.swift` lists the keys.
package struct ProgrammeMetadata: Hashable, Sendable, Encodable {
    /// Integrated loudness, LUFS (BS.1770), −70…5.
    package var loudness: Double?
    /// Loudness range, LU (EBU Tech 3342), 0…70.
    package var loudnessRange: Double?
    /// Largest true peak of all channels, dBTP, −150…30.
    package var truePeak: Double?
    /// Level of the dialogue, −31…−1; 0, which is reserved, is read as −31.
    package var dialnorm: Int?
    /// How its dynamics are to be compressed.
    package var drc: CompressionProfile?
    /// Name of its layout, as `--layout` takes it.
    package var layout: String?
    /// Order of its channels where the sound file does not say.
    package var order: ChannelOrder?
    /// What its two channels are, where they are more than left and right.
    package var encoding: Encoding?
    /// Its kind, which decides what is spatialized: `av` or `audio`.
    package var content: ProgrammeContent?
    /// Where its own front is on the stage.
    package var place: Place?
    /// Angle over which each of its sources is spread, to both sides together, degrees, 0…180: the `width` of the Audio
    /// Definition Model (ITU-R BS.2076), which reaches as far.
    package var width: Double?

    /// What two channels carry.
    package enum Encoding: String, CaseIterable, Hashable, Sendable, Encodable {
        /// Left total and right total of a 5-2-5 or 7-2-7 matrix.
        case ltrt = "lt-rt"
    }

    /// The sound all this is said of; nil: whatever the file holds.
    package var sound: Sound?

    /// Sound by its content.
    package struct Sound: Hashable, Sendable, Encodable {
        /// Its length, frames.
        package var frames: Int
        /// A hash of its samples, 64 hexadecimal digits.
        package var sha256: String

        /// Both.
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

        /// A rotation; by default none.
        package init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
            (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
        }
    }

    /// Nothing known.
    package init() {}

    /// Whether nothing is known.
    package var isEmpty: Bool { self == ProgrammeMetadata() }

    /// Where the metadata of a sound file are kept.
    package static func path(besideFile path: String) -> String { path + ".json" }
}

extension CompressionProfile: Encodable {
    /// As its name.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}

extension ChannelOrder: Encodable {}

extension ProgrammeContent: Encodable {}
