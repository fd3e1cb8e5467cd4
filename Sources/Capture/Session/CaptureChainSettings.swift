import HRTF

/// Settings of a capture's signal chain: array, orientation, rendition, calibration, gain and filters.
package struct CaptureChainSettings: Sendable {
    package var array: MicrophoneArray
    package var orientation = InputOrientation.portrait
    package var rendition = StereoRendition.xy
    /// HRTF set of a binaural rendition.
    package var field: FilterField?
    package var calibration: Calibration?
    /// Set gain, dB.
    package var gain = 0.0
    /// Cutoff of the high-pass filter against wind and handling noise, Hz; nil for no filter.
    package var highPass: Double? = 80

    /// Creates default settings for an array.
    package init(array: MicrophoneArray) { self.array = array }
}
