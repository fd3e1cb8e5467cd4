import AudioIO
import HeadTracking
import Soundstage

/// One row of the table of parameters: something a user may set, by whatever door.
///
/// A row says what the parameter is called, what values it takes and what it is for; `Parameter.all` has the rows.
/// Doors (options, keys of `--input`, the config file, OSC, `ctl`) read values by the row and never by rules of their
/// own, so that a range stands in one place.
package struct Parameter: Sendable, Identifiable {
    /// Its name: the word of `ctl`, the option without its dashes, and the end of its OSC address.
    package let id: String
    /// What it is about.
    package let group: Group
    /// Numbers it takes, in order; empty where it takes words only.
    package let numbers: [Number]
    /// Words it takes instead of numbers.
    package let words: [String]
    /// What else it takes where that is any text, as `a layout's name or file`; nil: words and numbers alone.
    package let text: String?
    /// Its default, as it is written; nil: by something else, which the help text names.
    package let standard: String?
    /// What it is for, in a phrase that stands after its name.
    package let help: String
    /// What it was called before; accepted for one release, with a hint.
    package let former: [String]
    /// Whether it may be chosen as a session begins, by an option or a key.
    package let isChoice: Bool
    /// What setting it does.
    package let effect: Effect
    /// Where the value in force stands.
    package let reading: Reading
    /// Why an input cannot take a value; nil where it can.
    package let refusal: @Sendable (ProgrammeRefusal, ParameterValue) -> String?

    /// What a parameter is about.
    package enum Group: String, Sendable, CaseIterable {
        /// The stage as a whole.
        case stage
        /// The room it stands in.
        case room
        /// The headphones it is heard with.
        case headphones
        /// Head tracking.
        case tracking
        /// How an input meets the listener.
        case input
        /// How an input's stereo is upmixed.
        case upmix
        /// How a sound field is mixed anew.
        case mix
        /// Loudness and dynamics of an input.
        case loudness
        /// What of the stage is listened to, and how loud.
        case monitor
        /// Each virtual loudspeaker by itself.
        case loudspeaker
        /// Stages to compare and to print.
        case scenes
    }

    /// A number a parameter takes.
    package struct Number: Sendable, Equatable {
        /// What it is called where there is more than one.
        package var name = ""
        /// Its unit, as it is printed; empty for shares.
        package var unit: String
        /// What it may be.
        package var range: ClosedRange<Double>
        /// What it is where it is left out; nil: it must be given.
        package var omitted: Double?
        /// Whether only whole numbers are taken.
        package var isWhole = false

        /// A number; see the properties.
        package init(
            name: String = "", unit: String, range: ClosedRange<Double>, omitted: Double? = nil, isWhole: Bool = false
        ) {
            (self.name, self.unit, self.range) = (name, unit, range)
            (self.omitted, self.isWhole) = (omitted, isWhole)
        }
    }

    /// What setting a parameter does; each closure is given a value that the row has read.
    package enum Effect: Sendable {
        /// Chooses something of which the stage is built.
        case stage(@Sendable (inout StageChoices, ParameterValue) -> Void)
        /// Changes how a programme is played; in force with the next slice, faded or moved there.
        case controls(@Sendable (inout ProgrammeControls, ParameterValue, Programme) -> Void)
        /// Changes how far stereo is upmixed; smoothed.
        case upmix(@Sendable (inout UpmixControls, ParameterValue) -> Void)
        /// Says something of a programme's loudness or dynamics, from which gains follow.
        case dynamics(@Sendable (inout DynamicsSettings, ParameterValue) -> Void)
        /// Changes how the head is followed; eased by the tracker.
        case tracking(@Sendable (inout HeadTrackerOptions, ParameterValue) -> Void)
        /// Plays the room, or the stage dry.
        case room
        /// Plays the headphones' equalisation, or the sound without it.
        case headphones
        /// Asks something of the monitor section; says why not where it cannot be.
        case monitor(@Sendable (inout MonitorSettings, ParameterValue) -> String?)
        /// Asks something of a virtual loudspeaker.
        case loudspeaker(@Sendable (inout MonitorSettings.Switches, ParameterValue) -> Void)
        /// Does something with the monitor section that takes more than its settings.
        case listening(ListeningAct)
        /// Does something with the stages that there are.
        case staging(StagingAct)
    }

    /// What is done with the monitor section and takes more than its settings.
    package enum ListeningAct: Sendable {
        /// Ends solos.
        case soloClear
        /// Plays test noise.
        case testNoise
        /// Has the stage folded down.
        case foldDown
        /// Compares the stage with none.
        case compare
        /// Has inputs past the stage, or not.
        case have(MonitorInputs)
    }

    /// Where the value of a parameter that is in force is read.
    package enum Reading: Sendable {
        /// In what was chosen of the stage.
        case stage(@Sendable (StageChoices) -> ParameterValue)
        /// In a programme's controls.
        case controls(@Sendable (ProgrammeControls) -> ParameterValue)
        /// In what was said of a programme's loudness; nil: nothing was.
        case dynamics(@Sendable (DynamicsSettings) -> ParameterValue?)
        /// In how the head is followed.
        case tracking(@Sendable (HeadTrackerOptions) -> ParameterValue)
        /// In whether the room plays.
        case room
        /// In whether the headphones' equalisation does.
        case headphones
        /// In what is asked of the monitor section; nil: nothing is said.
        case monitor(@Sendable (MonitorSettings) -> ParameterValue?)
        /// In which stages there are; nil: nothing is said.
        case staging(@Sendable (SceneFacts) -> ParameterValue?)
        /// In the monitor section, of a loudspeaker by its name.
        case loudspeaker(@Sendable (MonitorSettings, String) -> ParameterValue)
    }

    /// A row; see the properties.
    package init(
        _ id: String, _ group: Group, _ numbers: [Number] = [], words: [String] = [], text: String? = nil,
        former: [String] = [], standard: String? = nil, _ help: String, isChoice: Bool = true, effect: Effect,
        reads reading: Reading,
        refusal: @escaping @Sendable (ProgrammeRefusal, ParameterValue) -> String? = { _, _ in nil }
    ) {
        self.id = id
        self.group = group
        self.numbers = numbers
        self.words = words
        self.text = text
        self.former = former
        self.standard = standard
        self.help = help
        self.isChoice = isChoice
        self.effect = effect
        self.reading = reading
        self.refusal = refusal
    }

    /// What it is for, as a sentence begins: words that it takes stay as they are.
    package var sentence: String {
        words.contains { help.hasPrefix($0 + " ") } ? help : help.prefix(1).uppercased() + help.dropFirst()
    }

    /// Whether each input has its own; what is said without an input's name is said to all.
    package var isOfInputs: Bool { [.input, .upmix, .mix, .loudness].contains(group) }

    /// Whether each virtual loudspeaker has its own; what is said without a loudspeaker's name is said to all.
    package var isOfLoudspeakers: Bool { group == .loudspeaker }

    /// Where a panel has it; the rows' order is that within a section.
    package enum Section: String, Sendable {
        /// The stage, the room and the ears; head tracking; what is listened to; loudspeakers; scenes.
        case ears, tracking, monitor, loudspeakers, scenes
        /// With each input.
        case inputs
    }

    /// Where a panel has it.
    package var section: Section {
        switch group {
        case .stage, .room: .ears
        // The file is chosen as a room is; that it is heard, switched as the monitor is.
        case .headphones: text == nil ? .monitor : .ears
        case .tracking: .tracking
        case .input, .upmix, .mix, .loudness: .inputs
        case .monitor: id.hasPrefix("solo-") ? .loudspeakers : .monitor
        case .loudspeaker: .loudspeakers
        case .scenes: .scenes
        }
    }

    /// Whether its value is best written, or chosen from its words: it takes a number,
    /// and words that are no end of a fader's way.
    package var prefersText: Bool {
        !numbers.isEmpty && !words.isEmpty && !words.contains("on") && numbers[0].unit != "dB"
    }

    /// Whether it may have no value until it is given one.
    package var mayBeUnsaid: Bool {
        ["calibrated-level", "dialnorm", "drc", "loudness-target", "programme-loudness"].contains(id)
    }

    /// Whether the stage is built anew for it: the present one plays on until the new one takes its place.
    package var rebuildsStage: Bool { if case .stage = effect { true } else { false } }

    /// What it takes, for help and complaints: `-120 to 40 dB or off`, `yaw[ pitch[ roll]], -360 to 360 degrees each`.
    package var takes: String {
        let choice =
            words.count > 1 ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words.first
        if let kind = self.text { return kind + (choice.map { ", or \($0)" } ?? "") }
        guard let first = numbers.first else { return choice ?? "nothing" }
        func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }
        let unit = first.unit.isEmpty ? "" : " " + first.unit
        let kind = first.isWhole ? ", whole" : ""
        var taken = "\(text(first.range.lowerBound)) to \(text(first.range.upperBound))\(unit)\(kind)"
        if numbers.count > 1 {
            taken =
                numbers.map { $0.omitted == nil ? $0.name : "[\($0.name)]" }.joined(separator: " ") + ", \(taken) each"
        }
        return taken + (choice.map { ", or \($0)" } ?? "")
    }

    /// Bytes of a text at most: those of a path.
    private static let longestText = 4096

    /// Reads a value as it is written or sent: words and numbers apart, or joined by `,` or `:`.
    ///
    /// - Throws: `ParameterError.value` with what the parameter takes.
    package func value(of written: [String]) throws(ParameterError) -> ParameterValue {
        let error = ParameterError.value(written.joined(separator: " "), of: id, takes: takes)
        if written.count == 1, let word = Self.word(written[0], among: words) { return .word(word) }
        if text != nil {
            let said = written.joined(separator: " ")
            guard !said.isEmpty, said.utf8.count <= Self.longestText, !said.utf8.contains(where: { $0 < 32 }) else {
                throw error
            }
            return .word(said)
        }
        let parts = written.flatMap { $0.split(omittingEmptySubsequences: false) { $0 == "," || $0 == ":" } }
        guard !numbers.isEmpty, !parts.isEmpty, parts.count <= numbers.count else { throw error }
        var values: [Double] = []
        for (index, number) in numbers.enumerated() {
            guard index < parts.count else {
                guard let omitted = number.omitted else { throw error }
                values.append(omitted)
                continue
            }
            guard let value = Double(parts[index]), number.range.contains(value),
                !number.isWhole || value == value.rounded()
            else { throw error }
            values.append(value)
        }
        return .numbers(values)
    }

    /// A word of a list; switches may be said as numbers or truth values too.
    private static func word(_ text: String, among words: [String]) -> String? {
        if words.contains(text) { return text }
        guard words.contains("on"), words.contains("off") else { return nil }
        switch text {
        case "1", "1.0", "true": return "on"
        case "0", "0.0", "false": return "off"
        default: return nil
        }
    }
}

extension Parameter: Hashable {
    /// Rows are the same where their names are.
    package static func == (a: Parameter, b: Parameter) -> Bool { a.id == b.id }

    /// By the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What an input is that a parameter is to be set of, as far as it may have to refuse.
package struct ProgrammeRefusal: Sendable {
    /// The input.
    package let programme: Programme
    /// The layout of the sound field where the input is one; nil for loudspeakers.
    package let field: Layout?
    /// Whether its sources stand in a room as it was measured.
    package let isMeasured: Bool

    /// An input; see the properties.
    package init(programme: Programme, field: Layout?, isMeasured: Bool) {
        (self.programme, self.field, self.isMeasured) = (programme, field, isMeasured)
    }
}
