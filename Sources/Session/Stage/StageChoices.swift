import HRTF
import Rendering
import Soundstage

/// What the table of parameters can choose of a stage before it is prepared.
package struct StageChoices: Sendable {
    /// Whose loudspeaker angles.
    package var angles = Layout.Angles.itu
    /// How the channels of a sound field are ordered and scaled; unused for loudspeakers.
    package var ambisonics = AmbisonicFormat.Convention.sn3d
    /// What is done to the HRTF set.
    package var processing = HRTFProcessing.automatic
    /// Frames per slice: 64, 128 or 256.
    package var slice = 64
    /// dB on top of the default trim.
    package var gain = 0.0
    /// dB of the LFE channel, both ears, against the others.
    package var lfeGain = 10.0
    /// What guards the output.
    package var limiter = OutputGuard.instant
    /// The room the stage stands in.
    package var room = RoomSettings()

    /// The trim in dB before `gain`: −6, or 0 where the set plays unprocessed (the verification path).
    package var trim: Double { processing == .none ? 0 : -6 }
}
