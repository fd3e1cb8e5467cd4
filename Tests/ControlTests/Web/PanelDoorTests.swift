import Desk
import NIOCore
import NIOEmbedded
import Stages
import Testing

@testable import Control

/// The panel's files at a web door in memory.
@Suite(.timeLimit(.minutes(10))) struct PanelDoorTests {
    /// Sends one request. Returns the head and the body of the answer.
    private func ask(
        _ path: String, of page: PanelPage? = .session, token: String? = nil, host: String = "127.0.0.1:8080",
        accept: String = "text/html",
        method: String = "GET"
    ) throws -> (head: String, body: String) {
        let channel = EmbeddedChannel()
        let site = WebSite(
            desk: SessionDesk(), access: DoorAccess(token: token), address: ControlAddress(port: 8080), oscPort: nil,
            page: page)
        try WebHandler.configure(channel, site, ConnectionCount()).wait()
        try channel.connect(to: try SocketAddress(ipAddress: "10.0.0.9", port: 5)).wait()
        let text = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nAccept: \(accept)\r\n\r\n"
        try channel.writeInbound(ByteBuffer(string: text))
        var all = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { all += String(buffer: bytes) }
        let end = try #require(all.firstRange(of: "\r\n\r\n"))
        return (String(all[..<end.lowerBound]), String(all[end.upperBound...]))
    }

    @Test func aBrowserIsGivenThePage() throws {
        let (head, body) = try ask("/")
        #expect(head.contains("200 OK") && head.contains("Content-Type: text/html; charset=utf-8"))
        #expect(head.contains("Content-Security-Policy: default-src 'none'"))
        #expect(body.hasPrefix("<!doctype html>") && body.hasSuffix("</html>\n"))
        // The page refers to nothing outside the door.
        #expect(!body.contains("://"))
    }

    @Test func aMeasurementHasItsOwnPage() throws {
        let (head, body) = try ask("/", of: .measurement)
        #expect(head.contains("200 OK") && head.contains("Content-Security-Policy: default-src 'none'"))
        #expect(body.hasPrefix("<!doctype html>") && body.contains("measure.js") && !body.contains("://"))
        #expect(try ask("/", accept: "*/*").body.hasPrefix("{"))
    }

    @Test func whoeverAsksForNoPageIsGivenTheTree() throws {
        #expect(try ask("/", accept: "application/json").body.hasPrefix("{\"ACCESS\":0"))
        #expect(try ask("/", accept: "*/*").body.hasPrefix("{"))
    }

    @Test func aDoorWithoutPanelHasNone() throws {
        #expect(try ask("/", of: nil).body.hasPrefix("{"))
        #expect(try ask("/panel.js", of: nil).head.contains("404"))
    }

    @Test(arguments: ["panel.js", "session.js", "panel.css", "icon.svg", "english.js", "german.js"])
    func theFilesAskForNoToken(_ name: String) throws {
        let (head, body) = try ask("/\(name)", token: "word")
        #expect(head.contains("200 OK") && !body.isEmpty)
        #expect(try ask("/state", token: "word").head.contains("401"))
    }

    /// Returns all modules that the pages load, by their names.
    private func modules() throws -> [String: String] {
        var (found, left) = ([String: String](), ["panel.js", "measure.js"])
        while let name = left.popLast() {
            guard found[name] == nil else { continue }
            let text = try ask("/\(name)").body
            found[name] = text
            left += text.matches(of: /from '\.\/([a-z]+\.js)'/).map { String($0.1) }.filter { found[$0] == nil }
        }
        return found
    }

    /// Keys of the page that are made of values, units and events of the session.
    private static var madeKeys: Set<String> {
        // Choices are shown by their words. Numbers and names, as of layouts and scenes, are alike in all languages.
        let choices = Parameter.all.filter { $0.numbers.isEmpty && $0.text == nil }.flatMap(\.words)
        let words = choices.filter { $0 != "toggle" && $0.count > 1 && $0.first?.isLetter == true }
        // A symbol of a unit needs no word.
        let units = Parameter.all.flatMap(\.numbers).map(\.unit).filter { $0.count > 4 }
        let events: [SessionEvent] = [
            .routeLost([]), .routeHeld, .routeResumed([]),
            .interruptionBegan(name: "", effect: .pause), .interruptionEnded(name: "", resumes: true),
            .renditionChanged(input: "", rendition: ""), .spatializationChanged(input: "", isSpatializing: true),
            .levelChanged(input: "", level: 0), .recordingEnded(file: "", reason: ""),
        ]
        var keys = Set(words.map { "value." + $0 })
        keys.formUnion(units.map { "unit." + $0 })
        keys.formUnion(events.map { "event." + $0.kind })
        return keys
    }

    @Test func everyWordOfThePageIsInBothLanguages() throws {
        var modules = try modules()
        let languages = try ["english.js", "german.js"].map { name in try #require(modules[name]) }
        for name in ["english.js", "german.js"] { modules[name] = nil }
        #expect(modules.count > 15)
        var keys = Set(Parameter.Subsection.allCases.map { "subsection." + $0.rawValue })
        keys.formUnion(Parameter.all.filter { $0.numbers.count > 1 }.flatMap { $0.numbers.map(\.name) })
        for text in modules.values { keys.formUnion(text.matches(of: /\bword\('([^']+)'[,)]/).map { String($0.1) }) }
        for page in [PanelPage.session, .measurement] {
            let body = try ask("/", of: page).body
            keys.formUnion(body.matches(of: /data-(?:word|label)="([^"]+)"/).map { String($0.1) })
        }
        #expect(keys.count > 100)
        keys.formUnion(Self.madeKeys)
        for text in languages {
            let words = try #require(text.firstRange(of: "\n  words: {"))
            let labels = try #require(text.firstRange(of: "\n  labels: {"))
            let (help, said) = (text[..<words.lowerBound], text[words.lowerBound..<labels.lowerBound])
            let missing = try keys.filter { key in
                try !said.contains("'\(key)':") && !said.contains(Regex("[ {,]\(key):"))
            }
            #expect(missing.isEmpty, "no word for \(missing.sorted())")
            let mute = Self.shown.filter { !help.contains("\n    '\($0)': ") }
            #expect(text == languages[0] || mute.isEmpty, "german.js does not say what \(mute) does")
        }
    }

    /// Ids of all parameters and commands that the panel can show: all but `watch`, which only OSC over UDP has.
    private static let shown =
        Parameter.all.map(\.id) + Command.rows(of: .desk).map(\.id).filter { $0 != "watch" }

    /// The label that the panel makes of a name without a label (`plain` of `words.js`).
    private static func made(of name: String) -> String {
        let words = name.replacing(/^tracker\./, with: "").replacing("/NAME", with: "").replacing("/", with: ": ")
            .replacing("-", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Whether the label that the panel makes of a name consists of words in small letters.
    private static func isReadable(_ name: String) -> Bool {
        name.replacing("/NAME", with: "").wholeMatch(of: /(?:tracker\.)?[a-z]+(?:(?:\/|-)[a-z]+)*/) != nil
    }

    @Test func everyParameterAndCommandHasALabelInBothLanguages() throws {
        let modules = try modules()
        func labels(_ file: String) throws -> [String: String] {
            let text = try #require(modules[file])
            let start = try #require(text.firstRange(of: "\n  labels: {")).upperBound
            let pairs = text[start...].matches(of: /'([^']+)': '([^']*)',/).map { (String($0.1), String($0.2)) }
            let labels = Dictionary(pairs) { $1 }
            #expect(labels.count == pairs.count, "\(file) has a label twice")
            return labels
        }
        let (english, german) = (try labels("english.js"), try labels("german.js"))
        #expect(english.count > 50 && english["shortTerm"] == "Short-term")
        let unlabelled = Self.shown.filter { german[$0] == nil }
        #expect(unlabelled.isEmpty, "german.js has no label for \(unlabelled)")
        // Names of figures contain capital letters or digits, of which the panel makes no readable label.
        #expect(["shortTerm", "dialnorm2"].allSatisfy { !Self.isReadable($0) })
        let unreadable = (Self.shown + german.keys).filter { !Self.isReadable($0) && english[$0] == nil }
        #expect(unreadable.isEmpty, "english.js has no label for \(unreadable)")
        let needless = english.filter { $1 == Self.made(of: $0) }.keys.sorted()
        #expect(needless.isEmpty, "english.js has labels that the panel makes itself: \(needless)")
        #expect(Self.made(of: "plugin/NAME/move") == "Plugin: move" && Self.made(of: "tracker.rate") == "Rate")
        let words = try #require(modules["words.js"])
        #expect(words.contains("replace('/NAME', '').replaceAll('/', ': ').replaceAll('-', ' ')"))
    }

    @Test func thePagesNameNoCommand() throws {
        var sections: Set<String> = []
        for page in [PanelPage.session, .measurement] {
            let body = try ask("/", of: page).body
            #expect(!body.contains("data-does") && !body.contains("data-command="))
            for row in Command.rows(of: .desk) where row.id.contains("/") { #expect(!body.contains("\"\(row.id)\"")) }
            sections.formUnion(body.matches(of: /data-commands="([a-z]+)"/).map { String($0.1) })
        }
        // The panel makes at least one button in each of these sections.
        let filled = Set(Command.rows(of: .desk).filter(\.isDeed).compactMap { $0.section?.rawValue })
        #expect(!sections.isEmpty && sections.isSubset(of: filled))
    }

    @Test func aStrangeNameIsRefused() throws {
        #expect(try ask("/", host: "elsewhere.example").head.contains("403"))
        #expect(try ask("/panel.js", host: "elsewhere.example").head.contains("403"))
    }

    @Test(arguments: [
        "/../Package.swift", "/%2e%2e/Package.swift", "/index.html/", "//panel.js", "/PANEL.JS", "/panel",
    ])
    func nothingElseIsServed(_ path: String) throws {
        #expect(try ask(path).head.contains("404"))
    }

    @Test func aFileTakesNoOrders() throws {
        #expect(try ask("/panel.js", method: "POST").head.contains("405"))
        let (head, body) = try ask("/panel.js", method: "HEAD")
        #expect(head.contains("200 OK") && body.isEmpty)
    }
}
