import HRTF
import HeadTracking
import Rendering
import Signal
import Soundstage

/// Parameters of the session as a whole.
extension Parameter {
    /// Components of a stage. The options of `run` have the same names, except `--room` for `room-name` and
    /// `--headphone-eq` for `headphone-eq-file`.
    package static let makings: [Parameter] = [
        Parameter(
            "layout", .stage, text: "a layout's name or file", standard: "stereo",
            "loudspeaker layout of the main programme",
            isChoice: false, effect: .stage { $0.layout = $1.word }, reads: .stage { .word($0.layout ?? "stereo") }),
        Parameter(
            "hrtf", .stage, words: [defaultSet], text: "an HRTF set's name or file", standard: defaultSet,
            "the HRTF set; default: the first set that is found", isChoice: false,
            effect: .stage { $0.hrtf = $1.word == defaultSet ? nil : $1.word },
            reads: .stage { .word($0.hrtf ?? defaultSet) }),
        Parameter(
            "room-name", .room, words: ["none"], text: "a room's name, file or folder", standard: "none",
            "the room around the stage; a new room is switched on", isChoice: false,
            effect: .stage { $0.room.name = $1.word }, reads: .stage { .word($0.room.name) }),
        Parameter(
            "headphone-eq-file", .headphones, words: ["none"],
            text: "a file: Equalizer APO or AutoEq text, an impulse response", standard: "none",
            "the equalisation of the headphones; a new one is switched on", isChoice: false,
            effect: .stage { $0.headphones.file = $1.word }, reads: .stage { .word($0.headphones.file) }),
    ]

    /// Switch of the headphones' equalisation.
    package static let headphones: [Parameter] = [
        Parameter(
            "headphone-eq", .headphones, subsection: .comparing, words: switchWords, standard: "on",
            "turns the equalisation of the headphones on or off, at equal loudness", isChoice: false,
            effect: .headphones, reads: .headphones)
    ]

    /// Word for the HRTF set of the default search.
    private static let defaultSet = HRTFSelection.automaticWord

    /// Layout conventions and engine settings of the stage.
    package static let stage: [Parameter] = [
        Parameter(
            "angles", .stage, words: Layout.Angles.allCases.map(\.rawValue), standard: "itu",
            "loudspeaker angles: itu (BS.2051) or dolby, where these differ",
            effect: .stage { $0.angles = Layout.Angles(rawValue: $1.word) ?? $0.angles },
            reads: .stage { .word($0.angles.rawValue) }),
        Parameter(
            "ambisonics", .stage, words: AmbisonicFormat.Convention.allCases.map(\.rawValue), standard: "sn3d",
            "channels of ambi1 to ambi7: sn3d (AmbiX), n3d (both in ACN order) or fuma (order 3 at most)",
            effect: .stage { $0.ambisonics = AmbisonicFormat.Convention(rawValue: $1.word) ?? $0.ambisonics },
            reads: .stage { .word($0.ambisonics.rawValue) }),
        Parameter(
            "processing", .stage, subsection: .preparation, words: HRTFProcessing.allCases.map(\.rawValue),
            standard: "auto",
            "auto equalises the set, extends its bass and matches its level where needed; none plays the set as measured, "
                + "without trim, for comparisons: the stored response within 0.25° of its direction, interpolated elsewhere",
            effect: .stage { choices, value in
                choices.preparation.processing = HRTFProcessing(rawValue: value.word) ?? choices.preparation.processing
            }, reads: .stage { .word($0.preparation.processing.rawValue) }),
    ]

    /// Preparation of the HRTF set.
    package static let preparation: [Parameter] = [
        treatment(
            "diffuse-field",
            "makes the set's diffuse field flat: if a third of an octave deviates by 1 dB (auto), always (on) or never (off)",
            \.diffuseField),
        treatment(
            "bass",
            "takes the set's lowest frequencies from a rigid sphere: if it has none of its own (auto), always (on) or never (off)",
            \.bass),
        Parameter(
            "phase", .stage, subsection: .preparation, words: ResponsePhase.allCases.map(\.rawValue),
            standard: "measured",
            "phases of the set: as measured, or minimum phase with the measured interaural delays",
            effect: .stage { choices, value in
                choices.preparation.phase = ResponsePhase(rawValue: value.word) ?? choices.preparation.phase
            }, reads: .stage { .word($0.preparation.phase.rawValue) }),
        Parameter(
            "head-circumference", .stage, subsection: .preparation,
            [Number(unit: "cm", range: HRTFOptions.circumferences)],
            words: [asMeasured],
            standard: asMeasured,
            "circumference of the head above the ears and eyebrows, to which the interaural delays are scaled",
            effect: .stage { $0.preparation.headCircumference = $1.numbers.first },
            reads: .stage { $0.preparation.headCircumference.map { .number($0) } ?? .word(asMeasured) }),
        Parameter(
            "distance", .stage, [Number(unit: "m", range: HRTFOptions.distances)], words: [asMeasured],
            standard: asMeasured,
            "distance of the loudspeakers from the head: measured responses of this distance, or the computed near field of a rigid sphere",
            effect: .stage { $0.preparation.distance = $1.numbers.first },
            reads: .stage { $0.preparation.distance.map { .number($0) } ?? .word(asMeasured) }),
        Parameter(
            "voice-distance", .stage, [Number(unit: "m", range: HRTFOptions.distances)], words: [asMeasured],
            standard: asMeasured,
            "distance of the voices of an Audio Mix from the head: far voices have more of a computed room, near voices the near field of a rigid sphere",
            effect: .stage { $0.voiceDistance = $1.numbers.first },
            reads: .stage { $0.voiceDistance.map { .number($0) } ?? .word(asMeasured) }),
    ]

    /// Word for the value of the HRTF set itself.
    private static let asMeasured = "set"

    /// Returns the parameter of a preparation step: when needed, always or never.
    private static func treatment(
        _ id: String, _ help: String, _ step: any WritableKeyPath<HRTFOptions, HRTFTreatment> & Sendable
    ) -> Parameter {
        Parameter(
            id, .stage, subsection: .preparation, words: HRTFTreatment.allCases.map(\.rawValue),
            standard: HRTFTreatment.automatic.rawValue, help,
            effect: .stage { choices, value in
                choices.preparation[keyPath: step] =
                    HRTFTreatment(rawValue: value.word) ?? choices.preparation[keyPath: step]
            }, reads: .stage { .word($0.preparation[keyPath: step].rawValue) })
    }

    /// Engine parameters of the stage.
    package static let engine: [Parameter] = [
        Parameter(
            "slice", .stage, subsection: .preparation, words: ["64", "128", "256"], standard: "64",
            "frames per slice, after which filters are updated",
            effect: .stage { $0.slice = Int($1.word) ?? $0.slice }, reads: .stage { .word("\($0.slice)") }),
        Parameter(
            "gain", .stage, subsection: .output, [Number(unit: "dB", range: -120...40)], standard: "0",
            "gain on top of the default trim (-6 dB; 0 dB with --processing none)",
            effect: .stage { $0.gain = $1.number }, reads: .stage { .number($0.gain) }),
        Parameter(
            "lfe-gain", .stage, subsection: .output, [Number(unit: "dB", range: -120...40)], standard: "10",
            "gain of the LFE channel relative to the other channels (BS.775: +10); the channel is not low-passed",
            effect: .stage { $0.lfeGain = $1.number }, reads: .stage { .number($0.lfeGain) }),
        Parameter(
            "limiter", .stage, subsection: .output, words: OutputGuard.allCases.map(\.rawValue), standard: "instant",
            "output limiter: instant (no latency), lookahead (true peak, 1.5 ms of reported latency) or off",
            effect: .stage { $0.limiter = OutputGuard(rawValue: $1.word) ?? $0.limiter },
            reads: .stage { .word($0.limiter.rawValue) }),
    ]

    /// Switch of the room.
    package static let room = Parameter(
        "room", .room, words: ["on", "off", "toggle"], standard: "on",
        "plays the room, or the stage dry at the same loudness", isChoice: false, effect: .room, reads: .room)

    /// Parameters of the room.
    package static let rooms: [Parameter] = [
        room,
        Parameter(
            "room-early", .room, [Number(unit: "ms", range: 5...1000)], standard: "80",
            "length of the room's early part, which follows the head", effect: .stage { $0.room.early = $1.number },
            reads: .stage { .number($0.room.early) }),
        Parameter(
            "room-tail", .room, words: ["each", "shared"], standard: "each",
            "the room's later tail: one for each loudspeaker, or one shared by all, which costs less",
            effect: .stage { $0.room.isTailShared = $1.word == "shared" },
            reads: .stage { .word($0.room.isTailShared ? "shared" : "each") }),
        Parameter(
            "room-level", .room, [Number(unit: "dB", range: -60...20)], standard: "0",
            "gain of the room relative to the direct sound; the sum is as loud as the dry stage",
            effect: .stage { $0.room.level = $1.number }, reads: .stage { .number($0.room.level) }),
    ]

    /// Frame of reference of the stage.
    package static let reference = Parameter(
        "reference", .tracking, words: HeadTrackerOptions.Reference.allCases.map(\.rawValue), standard: "device",
        "what the stage is fixed to: device (the vehicle or phone), head (the world of the head's tracker), or static "
            + "(the head itself: no tracking)",
        effect: .tracking { choices, value in
            choices.reference = HeadTrackerOptions.Reference(rawValue: value.word) ?? choices.reference
        }, reads: .tracking { .word($0.reference.rawValue) })

    /// Parameters of head tracking.
    package static let tracking: [Parameter] = [
        reference,
        Parameter(
            "follow", .tracking,
            ["yaw", "pitch", "roll"].map { Number(name: $0, unit: "", range: 0...1) }, standard: "1,1,1",
            "share of the head's rotation that the stage compensates, for each axis",
            effect: .tracking { choices, value in
                if case .numbers(let weights) = value { choices.follow = SIMD3(weights[0], weights[1], weights[2]) }
            }, reads: .tracking { .numbers([$0.follow.x, $0.follow.y, $0.follow.z]) }),
        Parameter(
            "yaw-pull", .tracking, [Number(unit: "degrees per second", range: 0...10)], standard: "0.1",
            "slow pull of yaw to the front; 0 turns it off; a single tracker that sends orientations is pulled only above 0.1",
            effect: .tracking { $0.yawPull = $1.number }, reads: .tracking { .number($0.yawPull) }),
    ]
}
