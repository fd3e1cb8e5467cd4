/// What an engineer asks of the monitor section: what of the loudspeakers is heard, and how loud the ears are.
package struct MonitorControls: BitwiseCopyable, Sendable {
    /// `[source]`: the gain of each virtual loudspeaker, counted through all programmes: 1, 0, or −1 where its polarity
    /// is turned over.
    package var loudspeakers: InlineArray<64, Float> = InlineArray(repeating: 1)
    /// The fold-down that is heard, by the address of its plan; 0 for none.
    var fold: UInt = 0
    /// The source that plays test noise, −1 for none; where the noise is, and its frames.
    var noiseSource = -1
    var noise: UInt = 0
    var noiseFrames = 0
    /// Linear gain of both ears, ≥ 0, on their way out.
    package var level: Float = 1
    /// Whether both ears get the mean of the two.
    package var isMono = false
    /// Whether the reference is heard instead of the stage, and its linear gain, ≥ 0.
    package var hearsReference = false
    package var referenceGain: Float = 1
    /// Linear gain of the talkback in both ears, ≥ 0; 0 while it is off.
    package var talkbackGain: Float = 0

    /// Nothing: the section lets every bit through.
    package init() {}
}
