import CRealtime

/// Gains and treatment of ambience and voices for a style at full intensity.
struct MixLaw: BitwiseCopyable {
    /// Gain of the ambience, linear.
    var ambience: Float
    /// Whether late reverberation is removed from the voices.
    var isDry: Bool
    /// Whether the voices move to the front centre.
    var isFront: Bool

    /// Sets the gains and treatment of a style. Cinematic lowers the ambience by 10 dB, studio by 18 dB, and in-frame
    /// by 20 dB.
    @_noLocks
    init(_ style: AudioMixStyle) {
        switch style {
        case .standard: (ambience, isDry, isFront) = (1, false, false)
        case .cinematic: (ambience, isDry, isFront) = (0.32, false, true)
        case .studio: (ambience, isDry, isFront) = (0.126, true, false)
        case .inFrame: (ambience, isDry, isFront) = (0.1, false, false)
        }
    }

    /// Returns the gain of a voice from `direction`, 0…1. In the in-frame style the gain falls from 1 to 0 within 10°
    /// outside the camera's field of view. In other styles it is 1.
    @_noLocks
    static func share(_ controls: AudioMixControls, _ direction: SIMD3<Float>) -> Float {
        var field = controls.fieldOfView
        if let own = controls.view.field { field = own }
        guard case .inFrame = controls.style, field < 2 * .pi else { return 1 }
        let heading = Double(controls.cameraHeading + controls.view.heading)
        let ahead = SIMD3(Float(prc_cos(heading)), Float(prc_sin(heading)), 0)
        // Only the azimuth counts. A voice straight above or below has gain 1.
        let level = SIMD3(direction.x, direction.y, 0)
        let length = prc_sqrtf((level * level).sum())
        guard length > 1e-6 else { return 1 }
        let angle = Float(prc_acos(Double(max(-1, min(1, (level * ahead).sum() / length)))))
        return max(0, min(1, 1 - (angle - field / 2) / 0.174_533))
    }
}
