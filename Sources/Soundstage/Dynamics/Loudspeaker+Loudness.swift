/// Weight of a channel in loudness.
extension Loudspeaker {
    /// Weight of this loudspeaker's power in ITU-R BS.1770-5 (Annex 3, table 4). It is 1.41 beside the listener: 60° to
    /// 120° from the front and less than 30° above or below the horizon. It is 1 in all other directions, and 0 for a
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
    /// BS.1770 covers only loudspeakers. In a sound field only the omnidirectional channel counts, which is the
    /// pressure at the listener. Its weight is 1 (in Furse-Malham 2, because W is 3 dB lower); all other weights are 0.
    package var loudnessWeights: [Float] {
        guard let ambisonics else { return loudspeakers.map(\.loudnessWeight) }
        return (0..<ambisonics.channelCount).map { channel in
            let (acn, gain) = ambisonics.place(ofChannel: channel)
            return acn == 0 ? Float(gain * gain) : 0
        }
    }
}
