import AudioMix
import Geometry
import Rendering
import Soundstage

extension MotionRecording {
    /// A change of an input, the room, the headphones' equalisation or the loudspeakers' switches during the session,
    /// with the frame from which it applied.
    package struct Change: Hashable, Sendable {
        /// Frame of the change relative to stream time 0. It is the beginning of a slice, except for `equaliser`.
        package var frame: Int
        /// New state.
        package var state: State

        /// State of one part of the stage, which consists of the virtual loudspeakers, their inputs and their
        /// processing.
        package enum State: Hashable, Sendable {
            /// State of an input, with its name.
            case input(String, InputState)
            /// Whether the room is audible.
            case room(isOn: Bool)
            /// Whether the headphones' equalisation is in use.
            case headphones(isOn: Bool)
            /// Name of a new equalisation, from about that frame. It is not replayed.
            case equaliser(String)
            /// Names of the virtual loudspeakers that are silent, by mutes or solos, and of those with inverted
            /// polarity. Older logs have none.
            case loudspeakers(silent: [String], inverted: [String])
        }

        /// Whether the change names a new equalisation.
        package var isOfEqualiser: Bool { if case .equaliser = state { true } else { false } }
    }

    /// State of an input. Its numbers are read back exactly.
    ///
    /// It contains the linear values of the audio thread. The values in the table of parameters are rounded, and would
    /// not give the same samples. A test fails if a control of `ProgrammeControls` is missing here.
    package struct InputState: Hashable, Sendable, Codable {
        /// Linear gain, and linear gain during interruptions.
        package var level: Double, duck: Double
        /// Whether the input was muted, by its own mute or by a solo of other inputs. Nil in older logs means that it
        /// was not.
        package var mute: Bool?
        /// Whether the polarity was inverted. Nil in older logs means that it was not.
        package var inverted: Bool?
        /// `off`, `fixed` or `tracked`.
        package var mode: String
        /// `none`, `stereo`, `multichannel` or `all`.
        package var spatialize: String
        /// Orientation of the input's front on the stage: w, x, y, z.
        package var place: [Double]
        /// Angle over which each source is spread, radians.
        package var width: Double
        /// Whether stereo is upmixed to the stage, if an upmix exists, and the amounts of centre, width and ambience.
        package var upmix: Bool, amounts: [Double]
        /// Audio Mix of a sound field; nil in older logs, and for the mix as recorded.
        package var mix: MixState?
        /// `auto`, `multichannel` or `stereo`.
        package var rendition: String
        /// Linear gain of sound that is not placed on the stage, during a comparison at equal loudness; nil without
        /// such a comparison, and in older logs.
        package var passGain: Double?
        /// Gain to the target loudness, dB; compression profile, the shares of its attenuation and amplification that
        /// apply, and the reference loudness, LUFS.
        package var normalisation: Double, drc: String, cut: Double, boost: Double, reference: Double
    }

    /// State of an Audio Mix.
    package struct MixState: Hashable, Sendable, Codable {
        /// `standard`, `cinematic`, `studio` or `in-frame`.
        package var style: String
        /// Intensity from 0, which is the mix as recorded, to 1.
        package var intensity: Double
        /// Whether speech keeps its level as the intensity changes; otherwise the whole mix keeps its loudness.
        package var keepsSpeech: Bool
        /// Heading of the camera and its angle of view, radians.
        package var heading: Double, field: Double
    }

    /// Returns the changes for a renderer that replays them. The inputs are matched to the programmes by name. The
    /// rendition is not replayed, because a file has only one.
    package func automation(for programmes: [ProgrammeRenderer]) -> [StageChange] {
        guard let first = programmes.first else { return [] }
        let sources = programmes.flatMap { $0.programme.layout.loudspeakers.map(\.symbol) }
            .prefix(StageConfiguration.maximumSources)
        var automation: [StageChange] = []
        for change in changes {
            switch change.state {
            case .room(let isOn):
                automation.append(StageChange(.room, isOn: isOn, filling: first.controls, frame: change.frame))
            case .headphones(let isOn):
                automation.append(StageChange(.headphones, isOn: isOn, filling: first.controls, frame: change.frame))
            case .equaliser: break
            case .loudspeakers(let silent, let inverted):
                var switches = LoudspeakerSwitches()
                for (source, name) in sources.enumerated() {
                    switches.set(source, gain: silent.contains(name) ? 0 : inverted.contains(name) ? -1 : 1)
                }
                automation.append(StageChange(switches, filling: first.controls, frame: change.frame))
            case .input(let name, let state):
                guard let place = programmes.firstIndex(where: { $0.programme.name == name }) else { continue }
                automation.append(
                    StageChange(
                        programme: place, controls: state.applied(to: programmes[place].controls), frame: change.frame))
            }
        }
        return automation
    }
}

extension MotionRecording.InputState {
    /// Creates the state of a programme's controls.
    init(_ controls: ProgrammeControls) {
        (level, duck, width) = (Double(controls.level), Double(controls.duck), controls.width)
        mute = controls.isMuted || controls.isSilenced
        inverted = controls.isInverted
        passGain = controls.gainPastStage == 1 ? nil : Double(controls.gainPastStage)
        (mode, spatialize) = (controls.mode.word, controls.policy.word)
        let q = controls.place
        place = [q.w, q.x, q.y, q.z]
        upmix = controls.upmix.isOn
        let upmix = controls.upmix.amounts
        amounts = [Double(upmix.centre), Double(upmix.width), Double(upmix.ambience)]
        let mix = controls.mix
        if mix != AudioMixControls() {
            self.mix = MotionRecording.MixState(
                style: mix.style.rawValue, intensity: Double(mix.intensity), keepsSpeech: mix.keepsSpeech,
                heading: Double(mix.cameraHeading + mix.view.heading),
                field: Double(mix.view.field ?? mix.fieldOfView))
        }
        rendition = controls.renditions.choice.word
        let dynamics = controls.dynamics
        (normalisation, drc) = (Double(dynamics.normalisation), dynamics.profile.word)
        (cut, boost, reference) = (Double(dynamics.cutScale), Double(dynamics.boostScale), Double(dynamics.reference))
    }

    /// Fault of the values that were read from a file; nil if there is none.
    var flaw: String? {
        if StageMode(word: mode) == nil { return "'mode' is off, fixed or tracked, not '\(mode)'" }
        if SpatializationPolicy(word: spatialize) == nil {
            return "'spatialize' is none, stereo, multichannel or all, not '\(spatialize)'"
        }
        if RenditionChoice(word: rendition) == nil {
            return "'rendition' is auto, multichannel or stereo, not '\(rendition)'"
        }
        if let mix {
            if AudioMixStyle(rawValue: mix.style) == nil {
                return "'mix' is standard, cinematic, studio or in-frame, not '\(mix.style)'"
            }
            if !(0...1).contains(mix.intensity) { return "the intensity of a mix lies between 0 and 1" }
            if !(0...(2 * Double.pi + 1e-6)).contains(mix.field) || !mix.heading.isFinite {
                return "a camera's 'heading' and 'field' are angles in radians"
            }
        }
        if CompressionProfile(word: drc) == nil { return "'drc' is no profile: '\(drc)'" }
        let turn = place.count == 4 ? place.reduce(0) { $0 + $1 * $1 } : 0
        if abs(turn - 1) > 1e-9 { return "'place' is not a quaternion of unit length" }
        if amounts.count != 3 || !amounts.allSatisfy((0...1).contains) { return "'amounts' are three numbers 0 to 1" }
        if !(0...Double.pi).contains(width) { return "'width' is \(width), outside 0…π" }
        let gains = [level, duck, cut, boost, passGain ?? 1]
        if !gains.allSatisfy({ (0...1e6).contains($0) }) { return "a gain is below 0 or not finite" }
        if ![normalisation, reference].allSatisfy({ (-200...200).contains($0) }) {
            return "'normalisation' or 'reference' is no number of dB"
        }
        return nil
    }

    /// Returns the state as controls. An unknown word keeps the value of `before`; check `flaw` first.
    func applied(to before: ProgrammeControls) -> ProgrammeControls {
        var controls = before
        (controls.level, controls.duck, controls.width) = (Float(level), Float(duck), width)
        (controls.isMuted, controls.isInverted) = (mute ?? false, inverted ?? false)
        controls.gainPastStage = Float(passGain ?? 1)
        controls.mode = StageMode(word: mode) ?? before.mode
        controls.policy = SpatializationPolicy(word: spatialize) ?? before.policy
        controls.place = Quaternion(w: place[0], x: place[1], y: place[2], z: place[3])
        controls.upmix.isOn = upmix
        controls.upmix.amounts = UpmixControls(
            centre: Float(amounts[0]), width: Float(amounts[1]), ambience: Float(amounts[2]))
        controls.mix = AudioMixControls()
        if let mix, let style = AudioMixStyle(rawValue: mix.style) {
            controls.mix = AudioMixControls(
                style: style, intensity: Float(mix.intensity), keepsSpeech: mix.keepsSpeech,
                cameraHeading: Float(mix.heading), fieldOfView: Float(mix.field))
        }
        controls.renditions.choice = RenditionChoice(word: rendition) ?? before.renditions.choice
        controls.dynamics = DynamicsControls(
            normalisation: Float(normalisation), profile: CompressionProfile(word: drc) ?? .none, cutScale: Float(cut),
            boostScale: Float(boost), reference: Float(reference))
        return controls
    }
}
