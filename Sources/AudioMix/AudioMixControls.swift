import Geometry

/// Style of a new mix of a recording's speech and ambience.
package enum AudioMixStyle: String, CaseIterable, Codable, Hashable, Sendable, BitwiseCopyable {
    /// Leaves the recording unchanged, at any intensity.
    case standard
    /// Places the voices at the front centre and lowers the ambience by 10 dB.
    case cinematic
    /// Leaves the voices in their own directions, removes their late reverberation, and lowers the ambience by 18 dB.
    case studio
    /// Keeps only the voices inside the camera's field of view and lowers the ambience by 20 dB.
    case inFrame = "in-frame"
}

/// Latency of the separation. It is set by the look-ahead.
package enum AudioMixLatency: String, CaseIterable, Hashable, Sendable {
    /// About 1 s at 48 kHz, for players and files. Frames last 128 ms, and the filters are learnt from later sound too.
    case player
    /// 10 ms, for monitoring. Frames last 21 ms, and only the newest 10 ms of each frame are output.
    case live
}

/// Controls that may change during a mix. The mixer smooths changes of the intensity.
package struct AudioMixControls: BitwiseCopyable, Codable, Hashable, Sendable {
    /// The style at full intensity.
    package var style: AudioMixStyle
    /// Intensity, 0…1. At 0 the recording is unchanged; at 1 the style applies fully.
    package var intensity: Float
    /// Whether the level of the voices, instead of the level of the whole mix, stays constant as the intensity changes.
    package var keepsSpeech: Bool
    /// Azimuth of the camera's axis, counter-clockwise from the front, radians.
    package var cameraHeading: Float
    /// Full angle of the camera's field of view, radians, 0…2π.
    package var fieldOfView: Float
    /// Change of heading and field of view by a camera path (`CameraPath`). An `AudioMixer` with a path sets this
    /// property.
    package var view = CameraView.controls
    /// Intensity at the end of smoothing; 0 for the `standard` style.
    var aim: Float {
        @_noLocks get {
            if case .standard = style { return 0 }
            return intensity
        }
    }

    /// Fault of controls that were read from a motion log; nil if there is none.
    package var flaw: String? {
        if !(0...1).contains(intensity) { return "the intensity of a mix lies between 0 and 1" }
        if !(0...(2 * Double.pi + 1e-6)).contains(Double(fieldOfView)) || !cameraHeading.isFinite {
            return "a camera's heading and field of view are angles in radians"
        }
        return nil
    }

    /// Creates controls. The intensity is clamped to 0…1, and the field of view to 0…2π. NaN is replaced by the
    /// default. A heading that is not finite is replaced by 0.
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

/// Error of the mixer's initialiser, with a description for the user.
package enum AudioMixError: Error, Equatable, CustomStringConvertible {
    /// The number of channels is not that of a sound field of order 1…7.
    case noSoundField(channels: Int)

    /// Description of the fault and its remedy.
    package var description: String {
        switch self {
        case .noSoundField(let channels):
            "an Audio Mix needs a sound field of 4, 9, 16, 25, 36, 49 or 64 channels (ACN, SN3D), but the input has "
                + "\(channels) channels; convert the recording to ambisonics first"
        }
    }
}

/// Result of the analysis for one talker.
package struct TalkerState: BitwiseCopyable, Hashable, Sendable {
    /// Direction of the talker as a unit vector: x front, y left, z up.
    package var direction: SIMD3<Float>
    /// Votes around the direction, relative to their mean over all directions. Each bin votes with a weight for the
    /// direction of its sound.
    package var prominence: Float
    /// Likelihood of speech, 0…1, and two of the values that determine it: the level swing at the syllable rate, dB,
    /// and the mean harmonicity, 0…1.
    package var presence: Float, swing: Float, voicing: Float

    @_noLocks
    init(direction: SIMD3<Float>, prominence: Float, presence: Float, swing: Float, voicing: Float) {
        (self.direction, self.prominence) = (direction, prominence)
        (self.presence, self.swing, self.voicing) = (presence, swing, voicing)
    }
}
