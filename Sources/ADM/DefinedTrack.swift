/// What one track of a file is by its model.
package struct DefinedTrack: Hashable, Sendable {
    /// Counts from 1.
    package let number: Int
    /// What it is.
    package let content: Content
    /// Names of the audioObjects that have it, in the file's order; empty without any.
    package let objects: [String]

    /// The kinds of sound.
    package enum Content: Hashable, Sendable {
        /// The signal of one loudspeaker.
        case loudspeaker(DefinedLoudspeaker)
        /// A channel of a sound field.
        case harmonic(DefinedHarmonic)
        /// A sound that has places of its own over time.
        case object
        /// The signal of one ear.
        case binaural
        /// A channel to be decoded with others before it is anything.
        case matrix
    }
}

/// A loudspeaker of a bed.
package struct DefinedLoudspeaker: Hashable, Sendable {
    /// Its label, or the name of its channel format.
    package let name: String
    /// Where it stands.
    package let position: SpeakerPosition

    /// The same loudspeaker whatever its name.
    package func isSame(as other: DefinedLoudspeaker) -> Bool { position == other.position }
}

/// A channel of a sound field: which harmonic, and how it is scaled.
package struct DefinedHarmonic: Hashable, Sendable {
    /// How harmonics are scaled (BS.2076-2, normalization).
    package enum Scale: String, CaseIterable, Hashable, Sendable {
        case sn3d = "SN3D"
        case n3d = "N3D"
        case fuma = "FuMa"
    }

    /// Ambisonic channel number, l² + l + m for BS.2076's order l and degree m.
    package let acn: Int
    /// Its scale.
    package let scale: Scale
}
