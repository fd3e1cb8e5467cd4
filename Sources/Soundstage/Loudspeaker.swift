import Geometry
import Signal

/// One virtual loudspeaker of a stage: the channel that it plays, its position, and how its sound reaches the ears.
package struct Loudspeaker: Hashable, Sendable {
    /// How the sound of a channel reaches the two ears.
    package enum Motion: String, CaseIterable, Hashable, Sendable {
        /// Fixed to the stage: the loudspeaker stays in place when the head turns.
        case tracked
        /// Fixed to the head: filtered for its direction, which turns with the head.
        case fixed
        /// Without a filter: panned to the ears by its lateral position.
        case direct
    }

    /// Symbol in port names and session files (`FL` becomes the port `in_FL`). It has ASCII letters, digits, `_` and
    /// `-`.
    package var symbol: String
    /// Name for display.
    package var prettyName: String
    /// Azimuth, counter-clockwise from the front, degrees, −180…180. +90 is left.
    package var azimuthDegrees: Double
    /// Elevation above the horizon, degrees, −90…90.
    package var elevationDegrees: Double
    /// Gain of the channel before it is rendered.
    package var gain: Decibels
    /// Angle over which the sound is spread, from one end to the other, degrees, 0…180. Not used if `motion` is
    /// `direct`.
    package var widthDegrees: Double
    /// Distance from the head, metres; nil for the distance of the stage's other loudspeakers. Not used if `motion` is
    /// `direct`.
    package var distance: Double?
    /// How the sound reaches the ears. For a low-frequency channel it is always `direct`.
    package var motion: Motion
    /// Whether the channel is an LFE channel, which is played in both ears without a direction.
    package var isLowFrequency: Bool
    /// Bit in WAVE_FORMAT_EXTENSIBLE's channel mask; nil if the mask has no bit for the loudspeaker.
    package var waveMask: UInt32?

    /// Makes a loudspeaker; see the properties. Angles are in degrees.
    package init(
        symbol: String, prettyName: String? = nil, azimuthDegrees: Double, elevationDegrees: Double = 0,
        gain: Decibels = Decibels(0), widthDegrees: Double = 0, distance: Double? = nil, motion: Motion = .tracked,
        isLowFrequency: Bool = false, waveMask: UInt32? = nil
    ) {
        self.symbol = symbol
        self.prettyName = prettyName ?? symbol
        self.azimuthDegrees = azimuthDegrees
        self.elevationDegrees = elevationDegrees
        self.gain = gain
        self.widthDegrees = widthDegrees
        self.distance = distance
        self.motion = isLowFrequency ? .direct : motion
        self.isLowFrequency = isLowFrequency
        self.waveMask = waveMask
    }

    /// Makes a loudspeaker for a standard channel.
    init(_ channel: Channel, azimuthDegrees: Double, elevationDegrees: Double = 0) {
        self.init(
            symbol: channel.rawValue, prettyName: channel.prettyName, azimuthDegrees: azimuthDegrees,
            elevationDegrees: elevationDegrees, isLowFrequency: channel == .lowFrequency, waveMask: channel.waveMask)
    }

    /// Direction: on the stage if the loudspeaker is tracked, relative to the head if it is fixed.
    package var direction: Direction<Stage> {
        Direction(azimuthDegrees: azimuthDegrees, elevationDegrees: elevationDegrees)
    }

    /// Linear gains to the two ears for a channel without a filter. They include the loudspeaker's own gain.
    ///
    /// A low-frequency channel is played in both ears with full gain. Any other channel is panned with constant power
    /// by its lateral position p = cos(elevation)·sin(azimuth): the gains are √((1 ± p)/2). At ±90° only one ear gets
    /// sound.
    package var earGains: (left: Float, right: Float) {
        let level = Float(gain.amplitude)
        if isLowFrequency { return (level, level) }
        let lateral = direction.unit.y
        return (
            level * Float(max(0, (1 + lateral) / 2).squareRoot()), level * Float(max(0, (1 - lateral) / 2).squareRoot())
        )
    }
}
