/// Settings of the monitor section: gains of loudspeakers and ears, and gains of the signals that bypass the stage.
package struct MonitorControls: BitwiseCopyable, Sendable {
    /// `[source]`: gain of each virtual loudspeaker, counted through all programmes: 1, 0, or −1 for inverted polarity.
    package var loudspeakers: InlineArray<64, Float> = InlineArray(repeating: 1)
    /// Address of the fold-down plan in use; 0 without a fold-down.
    var fold: UInt = 0
    /// Index of the source that plays test noise; −1 for none.
    var noiseSource = -1
    /// Address of the noise's samples.
    var noise: UInt = 0
    /// Number of the noise's samples.
    var noiseFrames = 0
    /// Linear gain of both ears at the output, ≥ 0.
    package var level: Float = 1
    /// Linear gain of both ears in addition to `level`, 0…1. It is 1 unless the listener looks away. The gain changes
    /// slowly; see `MonitorOutput.awaySeconds`.
    package var awayGain: Float = 1
    /// Whether both ears play the mean of the two ears' signals.
    package var isMono = false
    /// Whether the reference is heard instead of the stage.
    package var hearsReference = false
    /// Linear gain of the reference, ≥ 0.
    package var referenceGain: Float = 1
    /// Linear gain of the talkback in both ears, ≥ 0. It is 0 while the talkback is off.
    package var talkbackGain: Float = 0

    /// Makes neutral settings, with which the section changes no bit.
    package init() {}
}
