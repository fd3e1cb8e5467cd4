/// Whether and how far stereo is opened into the stage.
package struct StereoOpening: BitwiseCopyable, Hashable, Sendable {
    /// Whether the upmix is to be heard, where there is one; else the two channels on two loudspeakers.
    package var isOpen = true
    /// Its amounts.
    package var amounts = UpmixControls()

    /// Open, with the usual amounts.
    package init() {}
}
