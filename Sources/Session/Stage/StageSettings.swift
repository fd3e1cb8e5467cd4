import Soundstage

/// Everything the user can choose about the sound, in the words of the command line.
package struct StageSettings: Sendable {
    /// Whose loudspeaker angles.
    package enum Angles: String, Sendable, CaseIterable { case itu, dolby }
    /// What is done to the HRTF set.
    package enum Processing: String, Sendable, CaseIterable { case auto, none }
    /// How the channels of a sound field are ordered and scaled.
    package enum Ambisonics: String, Sendable, CaseIterable { case sn3d, n3d, fuma }
    /// What guards the output.
    package enum Limiter: String, Sendable, CaseIterable { case off, instant, lookahead }

    /// A layout's name or a path to a JSON file; nil: what the input says, else stereo.
    package var layout: String?
    /// Whose loudspeaker angles.
    package var angles: Angles
    /// How the channels of a sound field are ordered and scaled; unused for loudspeakers.
    package var ambisonics: Ambisonics
    /// An HRTF set's name or path; nil: the default search order.
    package var hrtf: String?
    /// What is done to the HRTF set.
    package var processing: Processing
    /// Frames per slice: 64, 128 or 256.
    package var slice: Int
    /// dB on top of the default trim.
    package var gain: Double
    /// dB of the LFE channel, both ears, against the others.
    package var lfeGain: Double
    /// What guards the output.
    package var limiter: Limiter
    /// The room the stage stands in.
    package var room: RoomSettings
    /// What is played, and how it meets the listener.
    package var programmes: ProgrammeSettings

    /// All choices.
    package init(
        layout: String? = nil, angles: Angles = .itu, ambisonics: Ambisonics = .sn3d, hrtf: String? = nil,
        processing: Processing = .auto,
        slice: Int = 64,
        gain: Double = 0, lfeGain: Double = 10, limiter: Limiter = .instant,
        room: RoomSettings = RoomSettings(), programmes: ProgrammeSettings = ProgrammeSettings()
    ) {
        self.layout = layout
        self.angles = angles
        self.ambisonics = ambisonics
        self.hrtf = hrtf
        self.processing = processing
        self.slice = slice
        self.gain = gain
        self.lfeGain = lfeGain
        self.limiter = limiter
        self.room = room
        self.programmes = programmes
    }

    /// The trim in dB before `gain`: −6, or 0 where the set plays unprocessed (the verification path).
    package var trim: Double { processing == .none ? 0 : -6 }

    /// The named layouts, for help texts.
    package static var layoutNames: String { (Layout.names + ["ambi1 to ambi7"]).joined(separator: ", ") }
}
