import Foundation
import Gate
import Loading
import SavedSessions
import SoundFixtures
import Testing

/// Options of a session that reach beyond sound. Its folder's owner and the user's consent decide whether they apply.
@Suite struct SessionTrustTests {
    private let scratch: Scratch
    private let file: String
    private static let options: [String: JSONValue] = [
        "layout": .text("5.1"), "record": .text("/srv/ears.wav"), "http": .text("0.0.0.0:8080"),
        "control": .text("127.0.0.1:9160"), "head": .text("osc:0.0.0.0:9000"), "device": .text("osc:9001"),
        "broadcast": .text("10.0.0.2:9000,/ypr"), "allow-write": .list([.text("/home"), .text("/srv")]),
    ]

    init() throws {
        scratch = try Scratch()
        file = scratch("notes/sessions.json")
    }

    /// Writes a session's folder with this version's `step`; 0: without the entry, as an earlier version did.
    private func session(step: Int, _ options: [String: JSONValue] = Self.options) throws -> (SessionDocument, String) {
        let folder = scratch("session")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var saved = SessionDocument()
        saved.options = options
        try saved.write(to: folder)
        if step == 0 {
            let text = try String(contentsOfFile: folder + "/session.json", encoding: .utf8)
            guard case .object(var object)? = JSONValue(parsing: text) else { throw SessionError(.input, "") }
            object["step"] = nil
            try Data(JSONValue.object(object).page.utf8).write(to: URL(fileURLWithPath: folder + "/session.json"))
        }
        return (try #require(try SessionDocument(folder: folder)), folder)
    }

    private func trust(
        _ session: (SessionDocument, String), _ consent: SessionTrust.Consent = .none
    ) throws -> SessionTrust {
        var known = KnownSessions(path: file)
        return try SessionTrust(session.0, in: session.1, consent: consent, known: &known)
    }

    @Test func `What writes elsewhere and listens to other machines reaches beyond sound, and nothing else`() {
        #expect(
            SessionReach(options: Self.options).parts.map(\.words) == [
                "allow-write = /home", "allow-write = /srv", "broadcast = 10.0.0.2:9000,/ypr",
                "head = osc:0.0.0.0:9000", "http = 0.0.0.0:8080", "record = /srv/ears.wav",
            ])
        #expect(SessionReach(options: ["panel": .text("[::]:80"), "control": .text("9150")]).parts.count == 1)
    }

    @Test func `A session from elsewhere plays without what reaches beyond sound, and says what is left out`() throws {
        let trust = try trust(session(step: 1))
        #expect(trust.leftOut.count == 6 && trust.remarks.count == 1)
        #expect(trust.remarks[0].contains("http = 0.0.0.0:8080") && trust.remarks[0].contains("--trust"))
        let allowed = trust.allowed(Self.options)
        #expect(allowed["http"] == nil && allowed["record"] == nil && allowed["head"] == nil)
        #expect(allowed["layout"] == .text("5.1") && allowed["control"] == .text("127.0.0.1:9160"))
        #expect(allowed["allow-write"] == .list([]) && allowed["device"] == .text("osc:9001"))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `What was agreed to once is done again, and what is new is asked about`() throws {
        #expect(try trust(session(step: 1), .given).leftOut.isEmpty)
        #expect(try trust(session(step: 1)).leftOut.isEmpty)
        var more = Self.options
        more["panel"] = .text("0.0.0.0:9200")
        #expect(try trust(session(step: 1, more)).leftOut.map(\.option) == ["panel"])
        // Without its step a known folder is not taken for one of an earlier version.
        #expect(try trust(session(step: 0, more)).leftOut.map(\.option) == ["panel"])
        var asked: [String] = []
        let yes = SessionTrust.Consent.asked { reach in
            asked += reach.parts.map(\.option)
            return true
        }
        #expect(try trust(session(step: 1, more), yes).leftOut.isEmpty && asked == ["panel"])
        #expect(try trust(session(step: 1, more)).leftOut.isEmpty)
    }

    @Test func `A no at the terminal leaves it out and is asked again`() throws {
        var count = 0
        for _ in 0..<2 {
            let no = SessionTrust.Consent.asked { _ in
                count += 1
                return false
            }
            #expect(try trust(session(step: 1), no).leftOut.count == 6)
        }
        #expect(count == 2)
    }

    @Test func `A folder that an earlier version saved here opens as it was, with a line for what it reaches`() throws {
        let trust = try trust(session(step: 0))
        #expect(trust.leftOut.isEmpty && trust.remarks.count == 1)
        #expect(trust.remarks[0].contains("record = /srv/ears.wav"))
        #expect(try self.trust(session(step: 1)).remarks.isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func `The same folder of another user is a stranger's`() throws {
        let session = try session(step: 0)
        #expect(chown(session.1 + "/session.json", 4_000_000, 4_000_000) == 0)
        #expect(try trust(session).leftOut.count == 6)
    }

    @Test func `Links in a folder from elsewhere are not written through`() throws {
        let folder = scratch("session")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let mine = scratch("mine")
        try Data("precious".utf8).write(to: URL(fileURLWithPath: mine))
        for name in [".lock", ".session.json.partial", "session.json"] {
            try FileManager.default.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: mine)
        }
        #expect(throws: SessionError.self) { try SessionLock(folder, by: "test") }
        try SessionDocument().write(to: folder)
        #expect(try String(contentsOfFile: mine, encoding: .utf8) == "precious")
        #expect(try SessionDocument(folder: folder) != nil)
    }
}
