import ArgumentParser
import Desktop
import SavedSessions

/// `proscenium desktop rule`: shows and sets the ways of programs to the ears.
struct DesktopRuleCommand: AsyncParsableCommand {
    /// Word that removes a rule.
    private static let forget = "forget"

    static let configuration = CommandConfiguration(
        commandName: "rule", abstract: "Sets how the sound of a program reaches the ears, or shows all rules.",
        discussion: """
            Examples:
              proscenium desktop rule Firefox upmix
              proscenium desktop rule 'ZOOM VoiceEngine' own --place 60 --level -3
              proscenium desktop rule --role Music upmix
              proscenium desktop rule --default upmix
              proscenium desktop rule Firefox forget

            The ways to the ears are plain (on the stage as it is), upmix (mono and stereo upmixed to the stage), past (two \
            channels, past the stage) and own (on the stage through an input of its own). The rule for an application \
            precedes the rule for its role, and both precede the default. Rules are kept when the sink is removed.
            """)

    @Argument(
        help: ArgumentHelp(
            "An application, as in 'desktop streams', and its way. With --role or --default only the way.",
            valueName: "application-way"),
        completion: .list(StreamWay.words + [DesktopRuleCommand.forget]))
    var words: [String] = []
    @Option(help: ArgumentHelp("Set the rule for a role, as Music, Game or Communication.", valueName: "role"))
    var role: String?
    @Flag(name: .customLong("default"), help: "Set the rule for programs without another one.") var isDefault = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With the way own: direction of the program's front, -360 to 360, positive is left.", valueName: "degrees"))
    var place: Double?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With the way own: level of the program, -120 to 40.", valueName: "dB"))
    var level: DecibelArgument?
    @Flag(help: "Remove all rules.") var clear = false
    @Flag(help: "Print the rules as JSON.") var json = false

    func run() async throws {
        let folder = SessionDocument.stateFolder
        let isChange = !words.isEmpty || role != nil || isDefault
        guard !clear else {
            guard !isChange, place == nil, level == nil else {
                throw Failure(.usage, "--clear removes all rules; give no other arguments with it")
            }
            // A file that cannot be read is removed too.
            let former = (try? StreamRules(in: folder)) ?? StreamRules()
            try await DesktopService.follow(StreamRules(), after: former, in: folder)
            return print("no rules")
        }
        let former = try StreamRules(in: folder)
        var rules = former
        if isChange {
            try change(&rules)
            if rules != former { try await DesktopService.follow(rules, after: former, in: folder) }
        } else if place != nil || level != nil {
            throw Failure(.usage, "--place and --level go with an application and the way own")
        }
        if json { return print(rules.page) }
        for line in rules.lines { print(line) }
        // The number of streams reveals a misspelt name.
        guard words.count == 2, words[1] != Self.forget, let graph = try? PipeWireTools.here.graph() else { return }
        let reason = StreamDecision.Reason.application(words[0])
        let found = graph.nodes.values.filter { $0.isStream && rules.decision(for: $0).reason == reason }
        let number = found.count == 1 ? "1 stream" : "\(found.count) streams"
        print(found.isEmpty ? "no stream of '\(words[0])' plays now" : "the rule applies to \(number) now")
    }

    /// Makes the change that was typed.
    private func change(_ rules: inout StreamRules) throws {
        let isForAll = isDefault || role != nil
        guard words.count == (isForAll ? 1 : 2), !isDefault || role == nil, let word = words.last else {
            throw Failure(
                .usage,
                "a rule is written 'desktop rule APPLICATION WAY', 'desktop rule --role ROLE WAY' or "
                    + "'desktop rule --default WAY', with the way \(Self.ways)")
        }
        let way = StreamWay(rawValue: word)
        guard way != nil || word == Self.forget else {
            throw Failure(.usage, "'\(word)' is not a way; the ways are \(Self.ways)")
        }
        guard !isForAll || (place == nil && level == nil) else {
            throw Failure(.usage, "--place and --level go with an application and the way own")
        }
        if isDefault {
            try rules.set(usual: way)
        } else if let role {
            try rules.set(role: role, to: way)
        } else {
            try rules.set(application: words[0], to: way, place: place, level: level?.value)
        }
    }

    private static let ways = StreamWay.words.joined(separator: ", ") + " or \(forget)"
}
