/// Content of one track of a file according to the file's model.
package struct DefinedTrack: Hashable, Sendable {
    /// Number of the track, from 1.
    package let number: Int
    /// Content.
    package let content: Content
    /// Names of the audioObjects that refer to the track, in the file's order; empty without any.
    package let objects: [String]

    /// Kind of sound of a track.
    package enum Content: Hashable, Sendable {
        /// The signal of one loudspeaker.
        case loudspeaker(DefinedLoudspeaker)
        /// One channel of a sound field (Ambisonics).
        case harmonic(DefinedHarmonic)
        /// Sound of an object with positions over time.
        case object
        /// The signal of one ear.
        case binaural
        /// Channel that must be decoded together with others.
        case matrix
    }
}

/// Loudspeaker of a bed.
package struct DefinedLoudspeaker: Hashable, Sendable {
    /// Label by which the position was found, or the name of the channel format.
    package let name: String
    /// Position.
    package let position: SpeakerPosition

    /// Whether both loudspeakers have the same position; the names may differ.
    package func isSame(as other: DefinedLoudspeaker) -> Bool { position == other.position }
}

/// Channel of a sound field: the spherical harmonic, and its normalisation.
package struct DefinedHarmonic: Hashable, Sendable {
    /// Normalisation of the harmonics (BS.2076-2, normalization).
    package enum Scale: String, CaseIterable, Hashable, Sendable {
        case sn3d = "SN3D"
        case n3d = "N3D"
        case fuma = "FuMa"
    }

    /// Ambisonic channel number, l² + l + m for BS.2076's order l and degree m.
    package let acn: Int
    /// Normalisation.
    package let scale: Scale
}
