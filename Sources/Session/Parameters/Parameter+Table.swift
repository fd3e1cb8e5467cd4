import Geometry
import HeadTracking
import Signal
import Soundstage

extension Parameter {
    /// The table: every parameter that can be set while a session runs.
    package static let all: [Parameter] = session + inputs + dynamics

    // MARK: Of the whole session

    /// What the stage stays with.
    package static let reference = Parameter(
        "reference", of: .session, words: HeadTrackerOptions.Reference.allCases.map(\.rawValue),
        "what the stage stays with: the device, the head's own tracker, or nothing (static)",
        effect: .tracking { options, value in
            options.reference = HeadTrackerOptions.Reference(rawValue: value.word) ?? options.reference
        })
    /// Whether the room is heard.
    package static let room = Parameter(
        "room", of: .session, words: ["on", "off", "toggle"], "plays the room, or the stage dry at the same loudness",
        effect: .room)

    private static let session: [Parameter] = [
        reference,
        Parameter(
            "follow", of: .session,
            ["yaw", "pitch", "roll"].map { Number(name: $0, unit: "", range: 0...1) },
            "how much of each turn of the head the stage makes up for",
            effect: .tracking { options, value in
                if case .numbers(let weights) = value { options.follow = SIMD3(weights[0], weights[1], weights[2]) }
            }),
        Parameter(
            "yaw-pull", of: .session, [Number(unit: "degrees per second", range: 0...10)],
            "slow pull of yaw to the front; 0 turns it off",
            effect: .tracking { $0.yawPull = $1.number }),
        room,
    ]

    // MARK: Of inputs

    private static let inputs: [Parameter] = [
        Parameter(
            "level", of: .input, [Number(unit: "dB", range: -120...40)], words: ["off"], "level",
            effect: .controls { controls, value, _ in
                controls.level = value == .word("off") ? 0 : Float(Decibels(value.number).amplitude)
            }),
        Parameter(
            "place", of: .input,
            [
                Number(name: "yaw", unit: "degrees", range: -360...360),
                Number(name: "pitch", unit: "degrees", range: -360...360, omitted: 0),
                Number(name: "roll", unit: "degrees", range: -360...360, omitted: 0),
            ],
            "where its front is on the stage: positive left, up, right side down",
            effect: .controls { controls, value, _ in
                guard case .numbers(let degrees) = value else { return }
                let angles = degrees.map { $0 * Double.pi / 180 }
                controls.place = Rotation<Stage, Stage>(yaw: angles[0], pitch: angles[1], roll: angles[2]).quaternion
            }),
        Parameter(
            "source-width", of: .input, [Number(unit: "degrees", range: 0...180)], former: ["width"],
            "angle over which each of its sources is spread, both sides together",
            effect: .controls { controls, value, _ in controls.width = value.number * Double.pi / 180 },
            refusal: { input, value in
                guard value.number > 0 else { return nil }
                if let field = input.field { return StageRefusal.noWidth(of: field) }
                return input.isMeasured ? StageRefusal.noWidthInRoom(input.programme.name) : nil
            }),
        Parameter(
            "mode", of: .input, words: StageMode.allCases.map(\.word),
            "how its stage meets the head: off (two channels), fixed (hangs from it) or tracked (stands still)",
            effect: .controls { controls, value, programme in
                if let mode = StageMode(word: value.word) { controls.mode = programme.role.mode(in: mode) }
            },
            refusal: { input, value in
                value == .word(StageMode.off.word) ? input.field.map { StageRefusal.noFold(of: $0) } : nil
            }),
        Parameter(
            "spatialize", of: .input, words: SpatializationPolicy.allCases.map(\.word),
            "what of it is placed on the stage",
            effect: .controls { controls, value, _ in
                controls.policy = SpatializationPolicy(word: value.word) ?? controls.policy
            },
            refusal: { input, value in
                guard let field = input.field, let policy = SpatializationPolicy(word: value.word) else { return nil }
                return policy.places(isMultichannel: true) ? nil : StageRefusal.noFold(of: field)
            }),
        Parameter(
            "rendition", of: .input, words: RenditionChoice.allCases.map(\.word),
            "which of its two renditions plays; auto: the multichannel one while it is there",
            effect: .controls { controls, value, _ in
                controls.renditions.choice = RenditionChoice(word: value.word) ?? controls.renditions.choice
            },
            refusal: { input, _ in
                if let field = input.field { return "a sound field (\(field.name)) has one rendition" }
                return input.programme.hasBothRenditions
                    ? nil : "there is one rendition alone; start the session with --stereo-rendition"
            }),
        Parameter(
            "upmix", of: .input,
            ["centre", "width", "ambience"].map { Number(name: $0, unit: "", range: 0...1) },
            words: ["on", "off", "toggle"], "whether its stereo is opened into the stage, or how far",
            effect: .controls { controls, value, _ in
                switch value {
                case .word("toggle"): controls.opening.isOpen.toggle()
                case .word(let word): controls.opening.isOpen = word == "on"
                case .numbers(let amounts):
                    controls.opening.amounts = UpmixControls(
                        centre: Float(amounts[0]), width: Float(amounts[1]), ambience: Float(amounts[2]))
                }
            },
            refusal: noUpmix),
        amount("upmix-centre", "how much of the middle the upmix gives to the centre") { $0.centre = $1 },
        amount("upmix-width", "how much of the front the upmix wraps round to the sides") { $0.width = $1 },
        amount("upmix-ambience", "how much of the ambience the upmix gives to the surrounds") { $0.ambience = $1 },
    ]

    /// One amount of the upmix by itself.
    private static func amount(
        _ id: String, _ help: String, _ set: @escaping @Sendable (inout UpmixControls, Float) -> Void
    ) -> Parameter {
        Parameter(
            id, of: .input, [Number(unit: "", range: 0...1)], help,
            effect: .controls { controls, value, _ in set(&controls.opening.amounts, Float(value.number)) },
            refusal: noUpmix)
    }

    private static let noUpmix: @Sendable (ProgrammeRefusal, ParameterValue) -> String? = { input, _ in
        if let field = input.field { return "a sound field (\(field.name)) holds no stereo to open" }
        return input.programme.upmix == nil
            ? "nothing is upmixed here; start the session with --upmix identity or energy" : nil
    }

    // MARK: Loudness and dynamics of inputs

    private static let dynamics: [Parameter] = [
        Parameter(
            "programme-loudness", of: .input, [Number(unit: "LUFS", range: -70...5)], "how loud it is as delivered",
            effect: .dynamics { $0.loudness = $1.number }),
        Parameter(
            "dialnorm", of: .input, [Number(unit: "dB", range: -31...0, isWhole: true)],
            "how loud its dialogue is; 0 is read as -31",
            effect: .dynamics { $0.dialnorm = $1.number == 0 ? -31 : Int($1.number) }),
        Parameter(
            "loudness-target", of: .input, [Number(unit: "LUFS", range: -60...0)], words: ["line", "rf", "off"],
            "where its loudness is brought to: line is -31, rf -20",
            effect: .dynamics { $0.target = LoudnessTarget($1.written[0]) ?? $0.target }),
        Parameter(
            "drc", of: .input, words: CompressionProfile.allCases.map(\.name), "how its dynamics are compressed",
            effect: .dynamics { $0.profile = CompressionProfile(name: $1.word) ?? $0.profile }),
        Parameter(
            "drc-cut", of: .input, [Number(unit: "", range: 0...1)],
            "share of the profile's attenuation that is applied",
            effect: .dynamics { $0.cut = $1.number }),
        Parameter(
            "drc-boost", of: .input, [Number(unit: "", range: 0...1)],
            "share of the profile's amplification that is applied",
            effect: .dynamics { $0.boost = $1.number }),
    ]
}
