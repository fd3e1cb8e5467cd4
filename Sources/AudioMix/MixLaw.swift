import CRealtime

/// What a style makes of ambience and voices at full intensity.
struct MixLaw: BitwiseCopyable {
    /// The ambience's gain.
    var ambience: Float
    /// Voices without late reverberation.
    var isDry: Bool
    /// Voices to the front centre.
    var isFront: Bool

    /// The law of a style: ambience 10, 18 and 20 dB down.
    @_noLocks
    init(_ style: AudioMixStyle) {
        switch style {
        case .standard: (ambience, isDry, isFront) = (1, false, false)
        case .cinematic: (ambience, isDry, isFront) = (0.32, false, true)
        case .studio: (ambience, isDry, isFront) = (0.126, true, false)
        case .inFrame: (ambience, isDry, isFront) = (0.1, false, false)
        }
    }

    /// How much of a voice from a direction is mixed in: with a camera what it sees, with a margin of 10°.
    @_noLocks
    static func share(_ controls: AudioMixControls, _ direction: SIMD3<Float>) -> Float {
        var field = controls.fieldOfView
        if let own = controls.view.field { field = own }
        guard case .inFrame = controls.style, field < 2 * .pi else { return 1 }
        let heading = Double(controls.cameraHeading + controls.view.heading)
        let ahead = SIMD3(Float(prc_cos(heading)), Float(prc_sin(heading)), 0)
        // A camera's frame is wide: elevation counts for nothing.
        let level = SIMD3(direction.x, direction.y, 0)
        let length = prc_sqrtf((level * level).sum())
        guard length > 1e-6 else { return 1 }
        let angle = Float(prc_acos(Double(max(-1, min(1, (level * ahead).sum() / length)))))
        return max(0, min(1, 1 - (angle - field / 2) / 0.174_533))
    }
}
