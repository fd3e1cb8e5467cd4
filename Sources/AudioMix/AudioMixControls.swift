import Geometry

/// How a recording is mixed anew from its speech and its ambience.
package enum AudioMixStyle: String, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// As it was recorded, whatever the intensity.
    case standard
    /// Voices to the front centre, ambience around and lower.
    case cinematic
    /// Voices dry and near in their own directions, ambience far down.
    case studio
    /// Only voices inside the camera's field of view.
    case inFrame = "in-frame"
}

/// How far the separation may look ahead.
package enum AudioMixLatency: String, CaseIterable, Hashable, Sendable {
    /// 1 s at 48 kHz: frames of 128 ms, filters learnt from sound that is yet to be heard. For players and files.
    case player
    /// 10 ms: frames of 21 ms whose newest end alone is heard. For monitoring.
    case live
}

/// What may change while a mix sounds; changes of the intensity are smoothed.
package struct AudioMixControls: BitwiseCopyable, Hashable, Sendable {
    /// The style at full intensity.
    package var style: AudioMixStyle
    /// From the recording as it is, 0, to the style alone, 1.
    package var intensity: Float
    /// Whether the voices keep their level as the intensity moves, instead of the whole keeping its loudness.
    package var keepsSpeech: Bool
    /// Where the camera looks, azimuth counter-clockwise from the front, radians.
    package var cameraHeading: Float
    /// The whole angle the camera sees, radians, 0…2π.
    package var fieldOfView: Float
    /// What a path adds to both: the mixer's own where it follows one.
    package var view = CameraView.controls
    /// The intensity that is aimed at: none as it was recorded.
    var aim: Float {
        @_noLocks get {
            if case .standard = style { return 0 }
            return intensity
        }
    }

    /// Controls, the intensity clamped to 0…1 and the field of view to 0…2π; what is not a number counts as the
    /// default.
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

/// Why there can be no such mix, in words for the person who asked for it.
package enum AudioMixError: Error, Equatable, CustomStringConvertible {
    /// Channels that are no whole sound field of order 1…7.
    case noSoundField(channels: Int)

    /// What is wrong, and what to do.
    package var description: String {
        switch self {
        case .noSoundField(let channels):
            "an Audio Mix needs a sound field of 4, 9, 16, 25, 36, 49 or 64 channels (ACN, SN3D), and this has \(channels); "
                + "convert the recording to ambisonics first"
        }
    }
}

/// What a mix's analysis says of one talker.
package struct TalkerState: BitwiseCopyable, Hashable, Sendable {
    /// Where the talker is, x front, y left, z up; length 1.
    package var direction: SIMD3<Float>
    /// How far the direction stands out of the field, as a ratio to what a diffuse field would give any direction.
    package var prominence: Float
    /// How likely it is speech, 0…1, and of what that is made: how much the level swings at the rate of syllables, dB,
    /// and how periodic the voice is, 0…1.
    package var presence: Float, swing: Float, voicing: Float

    @_noLocks
    init(direction: SIMD3<Float>, prominence: Float, presence: Float, swing: Float, voicing: Float) {
        (self.direction, self.prominence) = (direction, prominence)
        (self.presence, self.swing, self.voicing) = (presence, swing, voicing)
    }
}
