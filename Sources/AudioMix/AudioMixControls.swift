import Geometry

/// Style of a new mix of a recording's speech and ambience.
package enum AudioMixStyle: String, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The recording unchanged, at any intensity.
    case standard
    /// Voices at the front centre, ambience at a lower level.
    case cinematic
    /// Voices without late reverberation in their own directions, ambience much lower.
    case studio
    /// Only voices inside the camera's field of view.
    case inFrame = "in-frame"
}

/// Latency of the separation, set by its look-ahead.
package enum AudioMixLatency: String, CaseIterable, Hashable, Sendable {
    /// 1 s at 48 kHz: frames of 128 ms, filters learnt from later sound too. For players and files.
    case player
    /// 10 ms: frames of 21 ms, of which only the newest end is output. For monitoring.
    case live
}

/// Controls that may change during a mix; changes of the intensity are smoothed.
package struct AudioMixControls: BitwiseCopyable, Hashable, Sendable {
    /// The style at full intensity.
    package var style: AudioMixStyle
    /// Intensity, from the unchanged recording, 0, to the full style, 1.
    package var intensity: Float
    /// Whether the voices, instead of the whole mix, keep their level as the intensity changes.
    package var keepsSpeech: Bool
    /// Heading of the camera: azimuth counter-clockwise from the front, radians.
    package var cameraHeading: Float
    /// Full angle of the camera's view, radians, 0…2π.
    package var fieldOfView: Float
    /// Change of heading and field of view by a camera path; an `AudioMixer` with a path sets it.
    package var view = CameraView.controls
    /// Target intensity; 0 for the `standard` style.
    var aim: Float {
        @_noLocks get {
            if case .standard = style { return 0 }
            return intensity
        }
    }

    /// Creates controls. The intensity is clamped to 0…1 and the field of view to 0…2π; NaN gives the default, and a
    /// heading that is not finite gives 0.
    package init(
        style: AudioMixStyle = .standard, intensity: Float = 1, keepsSpeech: Bool = false, cameraHeading: Float = 0,
        fieldOfView: Float = .pi / 3
    ) {
        func clamp(_ value: Float, _ most: Float, _ standard: Float) -> Float {
            value.isNaN ? standard : max(0, min(most, value))
        }
        self.style = style
        self.intensity = clamp(intensity, 1, 1)
        self.keepsSpeech = keepsSpeech
        self.cameraHeading = cameraHeading.isFinite ? cameraHeading : 0
        self.fieldOfView = clamp(fieldOfView, 2 * .pi, .pi / 3)
    }
}

/// Error of the mixer's initialiser, in words for the user.
package enum AudioMixError: Error, Equatable, CustomStringConvertible {
    /// The channel count is not that of a sound field of order 1…7.
    case noSoundField(channels: Int)

    /// Description of the fault and its remedy.
    package var description: String {
        switch self {
        case .noSoundField(let channels):
            "an Audio Mix needs a sound field of 4, 9, 16, 25, 36, 49 or 64 channels (ACN, SN3D), and this has \(channels); "
                + "convert the recording to ambisonics first"
        }
    }
}

/// Analysis of one talker.
package struct TalkerState: BitwiseCopyable, Hashable, Sendable {
    /// Direction of the talker, x front, y left, z up; length 1.
    package var direction: SIMD3<Float>
    /// Ratio of the votes around the direction to their mean over all directions.
    package var prominence: Float
    /// Likelihood of speech, 0…1; level swing at the syllable rate, dB, and mean harmonicity, 0…1, which determine it.
    package var presence: Float, swing: Float, voicing: Float

    @_noLocks
    init(direction: SIMD3<Float>, prominence: Float, presence: Float, swing: Float, voicing: Float) {
        (self.direction, self.prominence) = (direction, prominence)
        (self.presence, self.swing, self.voicing) = (presence, swing, voicing)
    }
}
