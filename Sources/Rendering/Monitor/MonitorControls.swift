/// Settings of the monitor section: the gains of loudspeakers and ears, and the signals beside the stage.
package struct MonitorControls: BitwiseCopyable, Sendable {
    /// `[source]`: gain of each virtual loudspeaker, counted through all programmes: 1, 0, or −1 for inverted polarity.
    package var loudspeakers: InlineArray<64, Float> = InlineArray(repeating: 1)
    /// Address of the plan of the fold-down in use; 0 for none.
    var fold: UInt = 0
    /// Source that plays test noise, −1 for none; address of the noise, and its frames.
    var noiseSource = -1
    var noise: UInt = 0
    var noiseFrames = 0
    /// Linear gain of both ears at the output, ≥ 0.
    package var level: Float = 1
    /// Linear gain of both ears while the listener looks away, 0…1; it moves slowly.
    package var awayGain: Float = 1
    /// Whether both ears get their mean.
    package var isMono = false
    /// Whether the reference replaces the stage, and its linear gain, ≥ 0.
    package var hearsReference = false
    package var referenceGain: Float = 1
    /// Linear gain of the talkback in both ears, ≥ 0; 0 while it is off.
    package var talkbackGain: Float = 0

    /// Neutral settings: the section passes every bit.
    package init() {}
}
