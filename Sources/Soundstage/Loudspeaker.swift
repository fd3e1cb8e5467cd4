import Geometry
import Signal

/// One virtual loudspeaker of a stage: a channel's name, position, and path to the ears.
package struct Loudspeaker: Hashable, Sendable {
    /// Path of a channel to the two ears.
    package enum Motion: String, CaseIterable, Hashable, Sendable {
        /// Stands on the stage: stays where it is when the head turns.
        case tracked
        /// Fixed to the head: filtered for its direction, which turns with the head.
        case fixed
        /// Without a filter: panned to the ears by its lateral position.
        case direct
    }

    /// The symbol in port names and session files (`FL` becomes the port `in_FL`); ASCII letters, digits, `_` and `-`.
    package var symbol: String
    /// The name for people.
    package var prettyName: String
    /// Azimuth, counter-clockwise from the front, degrees, −180…180: +90 is left.
    package var azimuthDegrees: Double
    /// Elevation above the horizon, degrees, −90…90.
    package var elevationDegrees: Double
    /// Gain of this channel before it is rendered.
    package var gain: Decibels
    /// Total angle over which its sound is spread, degrees, 0…180; unused without a filter.
    package var widthDegrees: Double
    /// Distance from the head, metres; nil: that of the stage's other loudspeakers. Unused without a filter.
    package var distance: Double?
    /// Path to the ears. A low-frequency channel is always direct.
    package var motion: Motion
    /// True for LFE channels, which go to both ears without a direction.
    package var isLowFrequency: Bool
    /// Its bit in WAVE_FORMAT_EXTENSIBLE's channel mask; nil without one.
    package var waveMask: UInt32?

    /// Makes a loudspeaker; angles in degrees.
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

    /// Its direction: on the stage if tracked, relative to the head if fixed.
    package var direction: Direction<Stage> {
        Direction(azimuthDegrees: azimuthDegrees, elevationDegrees: elevationDegrees)
    }

    /// Linear gains to the two ears of a channel without a filter, this loudspeaker's own gain included.
    ///
    /// A low-frequency channel goes to both ears in full. Any other is panned by its lateral position
    /// p = cos(elevation)·sin(azimuth) with constant power, √((1 ± p)/2): ±90° is one ear alone.
    package var earGains: (left: Float, right: Float) {
        let level = Float(gain.amplitude)
        if isLowFrequency { return (level, level) }
        let lateral = direction.unit.y
        return (
            level * Float(max(0, (1 + lateral) / 2).squareRoot()), level * Float(max(0, (1 - lateral) / 2).squareRoot())
        )
    }
}
