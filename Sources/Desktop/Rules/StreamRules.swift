import Gate
import Loading

/// Rules that decide how programs' streams reach the ears (`StreamWay`): the user's rules, and built-in ones.
///
/// The first rule that fits decides: the user's rule for the application; the user's rule for the role; the built-in
/// rules, by which known programs for calls, and roles of short sounds, bypass the virtual loudspeakers; the user's
/// default. If none fits, a stream stays in the main sink.
package struct StreamRules: Hashable, Sendable {
    /// The user's rule for an application.
    package struct Application: Hashable, Sendable {
        /// Name of the application, of its program's file or of its node, as the user typed it.
        package var name: String
        /// How the application's streams reach the ears.
        package var way: StreamWay
        /// Name of the application's own input; nil unless the way is `own`.
        package var input: String?
        /// Direction of the own input's front, degrees, positive left; nil: straight ahead.
        package var place: Double?
        /// Level of the own input, dB; nil: 0.
        package var level: Double?
    }

    /// The user's rule for a role.
    package struct Role: Hashable, Sendable {
        /// The role as in `media.role`, as the user typed it.
        package var name: String
        /// How the streams with this role reach the ears; not `own`.
        package var way: StreamWay
    }

    /// The user's default, not `own`; nil: the main sink.
    package private(set) var usual: StreamWay?
    /// The user's rules for roles, oldest first.
    package private(set) var roles: [Role] = []
    /// The user's rules for applications, oldest first.
    package private(set) var applications: [Application] = []

    /// Greatest number of rules of one kind.
    static let most = 200
    /// Greatest number of applications with an input of their own: a session has at most eight inputs, of which `main`,
    /// `past` and one more are taken.
    static let mostOwn = 5
    /// Greatest length of the name of an application or role, bytes.
    static let longestName = 200
    /// Permitted places, degrees, and levels, dB: those of the parameters `place` and `level`, whose table this target
    /// may not import. A test compares them.
    package static let places = -360.0...360, levels = -120.0...40
    /// Ways of a rule for more than one application.
    static let common = StreamWay.allCases.filter { $0 != .own }
    /// Names that an application's own input cannot have.
    static let reserved: Set<String> = ["main", "plain", "upmix", "past"]
    /// Roles of PipeWire and PulseAudio whose streams bypass the virtual loudspeakers, in lower case.
    private static let rolesPast: Set<String> = ["notification", "event", "communication", "phone"]
    /// Programs for calls, by the names of applications and files, in lower case. Many of them state no role. A
    /// browser's calls cannot be distinguished from its other sound.
    private static let calls: Set<String> = [
        "webrtc voiceengine", "zoom voiceengine", "zoom", "mumble", "linphone", "jami", "skype", "teams-for-linux",
    ]

    /// Creates a set without rules of the user.
    package init() {}

    /// Whether the user has made no rule.
    package var isEmpty: Bool { usual == nil && roles.isEmpty && applications.isEmpty }

    // MARK: Decisions

    /// Returns a text of another program in one line, of at most 80 characters.
    static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(80).map { scalar -> Character in
            let kind = scalar.properties.generalCategory
            return kind == .control || kind == .format ? " " : Character(scalar)
        }
        return String(scalars)
    }

    /// Returns an application's name as rules compare it: as `desktop streams` shows it, in lower case.
    private static func key(_ name: String) -> String { plain(name).lowercased() }

    /// Decides on a stream by its names, its role and the number of its channels.
    package func decision(for stream: PipeWireGraph.Node) -> StreamDecision {
        // Only mono and stereo are upmixed; a stream of an unknown format counts as stereo.
        let isWide = (stream.channels ?? 2) > 2
        func decided(_ way: StreamWay, _ reason: StreamDecision.Reason, own: String? = nil) -> StreamDecision {
            let way = way == .upmix && isWide ? .plain : way
            return StreamDecision(way: way, input: own ?? way.rawValue, reason: reason)
        }
        let names = [stream.application, stream.binary, stream.name].filter { !$0.isEmpty }.map { Self.key($0) }
        for name in names {
            if let rule = applications.first(where: { Self.key($0.name) == name }) {
                return decided(rule.way, .application(rule.name), own: rule.input)
            }
        }
        let role = stream.role.lowercased()
        if !role.isEmpty, let rule = roles.first(where: { $0.name.lowercased() == role }) {
            return decided(rule.way, .role(rule.name))
        }
        if names.contains(where: Self.calls.contains) { return decided(.past, .call) }
        if Self.rolesPast.contains(role) { return decided(.past, .kind(stream.role)) }
        if let usual { return decided(usual, .usual) }
        return StreamDecision(way: nil, input: "main", reason: .noRule)
    }

    /// Returns the further inputs that a session needs for these rules, in the words of `run --input`.
    ///
    /// - Parameter isMainUpmixed: whether the main input is upmixed stereo.
    package func inputs(isMainUpmixed: Bool) -> [String] {
        // From a virtual loudspeaker, a channel reaches both ears, each with the power of a diffuse field. In the input
        // `past`, a channel reaches one ear. A gain of 3 dB makes both equally loud.
        var inputs = ["past=stereo,role=direct,level=3"]
        let ways = Set(applications.map(\.way) + roles.map(\.way) + [usual].compactMap(\.self))
        if !isMainUpmixed, ways.contains(.upmix) { inputs.append("upmix=stereo,upmix=identity") }
        if isMainUpmixed, ways.contains(.plain) { inputs.append("plain=stereo") }
        return inputs + applications.compactMap(\.words)
    }

    // MARK: Changes

    /// Sets the default; nil removes it.
    ///
    /// - Throws: an error for the way `own`.
    package mutating func set(usual way: StreamWay?) throws(SessionError) {
        try Self.check(common: way)
        usual = way
    }

    /// Sets the rule for a role; nil removes it.
    ///
    /// - Throws: an error for the way `own`, for an invalid name, if the rule to remove does not exist, and if there
    ///   are too many rules.
    package mutating func set(role name: String, to way: StreamWay?) throws(SessionError) {
        try Self.check(name: name)
        try Self.check(common: way)
        let index = roles.firstIndex { $0.name.lowercased() == name.lowercased() }
        guard let way else {
            guard let index else { throw Self.unknown(name, among: roles.map(\.name)) }
            roles.remove(at: index)
            return
        }
        let rule = Role(name: name, way: way)
        if let index {
            roles[index] = rule
        } else {
            try Self.check(count: roles.count)
            roles.append(rule)
        }
    }

    /// Sets the rule for an application; nil removes it. A former place and level are not kept.
    ///
    /// - Throws: an error for an invalid name, if the rule to remove does not exist, if there are too many rules or too
    ///   many applications with an input of their own, and for a place or a level that is out of range or is given with
    ///   another way than `own`.
    package mutating func set(
        application name: String, to way: StreamWay?, place: Double? = nil, level: Double? = nil
    ) throws(SessionError) {
        try Self.check(name: name)
        guard way == .own || (place == nil && level == nil) else {
            throw SessionError(.usage, "a place and a level are only possible with the way own: add own")
        }
        let index = applications.firstIndex { $0.name.lowercased() == name.lowercased() }
        guard let way else {
            guard let index else { throw Self.unknown(name, among: applications.map(\.name)) }
            applications.remove(at: index)
            return
        }
        var rule = Application(name: name, way: way)
        if way == .own {
            try Self.check(place, in: Self.places, "place", "degrees")
            try Self.check(level, in: Self.levels, "level", "dB")
            (rule.place, rule.level) = (place, level)
            let former = index.flatMap { applications[$0].input }
            guard former != nil || applications.count(where: { $0.way == .own }) < Self.mostOwn else {
                let known = applications.filter { $0.way == .own }.map { "'\($0.name)'" }.joined(separator: ", ")
                throw SessionError(
                    .usage, "at most \(Self.mostOwn) programs can have an input of their own; these have one: \(known)")
            }
            rule.input = former ?? freeInput(for: name)
        }
        if let index {
            applications[index] = rule
        } else {
            try Self.check(count: applications.count)
            applications.append(rule)
        }
    }

    /// Returns a free name for an application's own input, from the letters and digits of the application's name.
    private func freeInput(for name: String) -> String {
        let letters = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(12)
        let base = letters.isEmpty || Self.reserved.contains(String(letters)) ? "app" : String(letters)
        let taken = Set(applications.compactMap(\.input))
        guard taken.contains(base) else { return base }
        return (2...).lazy.map { "\(base)\($0)" }.first { !taken.contains($0) } ?? base
    }

    /// Returns whether a word can be the name of an application's own input.
    static func isOwnInput(_ word: String) -> Bool {
        (1...16).contains(word.utf8.count) && !reserved.contains(word)
            && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private static func check(name: String) throws(SessionError) {
        guard isName(name) else {
            throw SessionError(
                .usage, "the name of an application or a role must be one line of at most \(longestName) bytes")
        }
    }

    private static func check(common way: StreamWay?) throws(SessionError) {
        guard way != .own else {
            throw SessionError(.usage, "the way own is for a single application: name the application")
        }
    }

    private static func check(count: Int) throws(SessionError) {
        guard count < most else {
            throw SessionError(.usage, "there are \(most) rules already; 'forget' removes one")
        }
    }

    private static func check(
        _ number: Double?, in range: ClosedRange<Double>, _ what: String, _ unit: String
    ) throws(SessionError) {
        guard let number, !range.contains(number) else { return }
        throw SessionError(
            .usage, "a \(what) is \(text(range.lowerBound)) to \(text(range.upperBound)) \(unit), not \(text(number))")
    }

    private static func unknown(_ name: String, among known: [String]) -> SessionError {
        let near = NearestWord.among(known, for: name).map { "; the nearest is '\($0)'" } ?? ""
        return SessionError(.usage, "there is no rule for '\(name)'\(near)")
    }

    /// Returns whether a text can name an application or a role.
    static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count) && text.contains { !$0.isWhitespace }
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Returns a number as text; a whole number has no decimal point.
    static func text(_ number: Double) -> String { JSONValue.number(number).numeral ?? "" }

    // MARK: The file's words

    /// Adds a rule that was read for a role; returns false if the role has one already.
    mutating func add(_ rule: Role) -> Bool {
        guard !roles.contains(where: { $0.name.lowercased() == rule.name.lowercased() }) else { return false }
        roles.append(rule)
        return true
    }

    /// Adds a rule that was read for an application; returns false if the application has one already.
    mutating func add(_ rule: Application) -> Bool {
        guard !applications.contains(where: { $0.name.lowercased() == rule.name.lowercased() }) else { return false }
        applications.append(rule)
        return true
    }
}

extension StreamRules.Application {
    /// The application's own input in the words of `run --input`; nil unless the way is `own`.
    var words: String? {
        guard let input else { return nil }
        return "\(input)=stereo" + (place.map { ",place=\(StreamRules.text($0))" } ?? "")
            + (level.map { ",level=\(StreamRules.text($0))" } ?? "")
    }
}
