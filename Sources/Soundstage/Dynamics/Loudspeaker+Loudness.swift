/// Weight of a channel in loudness.
extension Loudspeaker {
    /// The weight of this loudspeaker's power in ITU-R BS.1770-5 (Annex 3, table 4): 1.41 where it stands beside the
    /// listener, 60° to 120° off the front and less than 30° above or below the horizon, 1 everywhere else, 0 for a
    /// low-frequency channel.
    package var loudnessWeight: Float {
        if isLowFrequency { return 0 }
        let side = abs(azimuthDegrees)
        return (60...120).contains(side) && abs(elevationDegrees) < 30 ? 1.41 : 1
    }
}

extension Layout {
    /// Weight of each channel's power in loudness, in order.
    ///
    /// BS.1770 covers loudspeakers only. In a sound field only the omnidirectional channel counts, the pressure at the
    /// listener: 1 for it (2 in Furse-Malham, whose W is 3 dB down), 0 for all others.
    package var loudnessWeights: [Float] {
        guard let ambisonics else { return loudspeakers.map(\.loudnessWeight) }
        return (0..<ambisonics.channelCount).map { channel in
            let (acn, gain) = ambisonics.place(ofChannel: channel)
            return acn == 0 ? Float(gain * gain) : 0
        }
    }
}
