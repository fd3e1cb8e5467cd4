import Desk
import Foundation
import Gate
import Loading
import NIOHTTP1
import OSC
import Stages

/// Content of the web interface: admission of clients, and the replies to requests for its paths.
struct WebSite: Sendable {
    let desk: SessionDesk
    let access: DoorAccess
    /// Address that was requested for the interface.
    let address: ControlAddress
    /// Port of OSC over UDP, for discovery; nil if there is none.
    let oscPort: Int?
    /// Page of the control panel that is served; nil without one.
    var page: PanelPage?

    /// Reply to a request: status, body, and media type, which is JSON by default.
    struct Answer: Sendable {
        var status: HTTPResponseStatus
        var body: String
        var type = "application/json"
        var headers: [(String, String)] = []

        static func refused(_ status: HTTPResponseStatus, _ reason: String) -> Answer {
            Answer(status: status, body: JSONValue.object(["refused": .text(reason)]).line)
        }
    }

    /// Returns the refusal of a request; nil if it is admitted. The origin that a browser states (`Origin`) must be
    /// this interface, because pages of other origins may not send requests. The host name in the request (`Host`) must
    /// be the interface's: any other name is refused, even if it resolves to this machine. If a token is required, any
    /// host name is permitted.
    func refusal(of head: HTTPRequestHead) -> Answer? {
        let host = Self.host(head)
        guard isOwn(host) else { return stranger(host) }
        if let origin = head.headers.first(name: "Origin"), origin != "http://\(host)" {
            return .refused(.forbidden, "pages from \(origin) are not permitted to use this session")
        }
        guard access.token != nil else { return nil }
        let bearer = head.headers.first(name: "Authorization").flatMap { header in
            header.hasPrefix("Bearer ") ? String(header.dropFirst(7)) : nil
        }
        let said = bearer ?? Self.query(of: head.uri)["token"]
        return access.accepts(said) ? nil : .refused(.unauthorized, "this session requires its token")
    }

    /// Returns a file of the control panel; nil for any other request. A request under a host name that is not the
    /// interface's is refused. The files are not secret and need no token.
    func panelFile(_ head: HTTPRequestHead) -> Answer? {
        guard let page, head.method == .GET || head.method == .HEAD else { return nil }
        let wantsPage = head.headers["Accept"].contains { $0.contains("text/html") }
        let path = String(head.uri.prefix { $0 != "?" })
        guard let file = PanelFiles.file(at: path, wantsPage: wantsPage, of: page) else { return nil }
        let host = Self.host(head)
        guard isOwn(host) else { return stranger(host) }
        return Answer(status: .ok, body: file.text, type: file.type, headers: PanelFiles.policy)
    }

    /// Returns the host name of the request. Several names are joined by commas.
    private static func host(_ head: HTTPRequestHead) -> String {
        let said = head.headers["Host"]
        return said.count == 1 ? said[0] : said.joined(separator: ", ")
    }

    private func stranger(_ host: String) -> Answer { .refused(.forbidden, "this session has no host name '\(host)'") }

    private func isOwn(_ host: String) -> Bool {
        let name =
            host.hasPrefix("[")
            ? String(host.dropFirst().prefix { $0 != "]" }) : String(host.lowercased().prefix { $0 != ":" })
        // On a network this process cannot determine the interface's names. The token protects the interface there.
        return Loopback.contains(name) || name == address.host || access.token != nil
    }

    /// Returns the reply to GET at a path; nil if there is no such path.
    func look(at uri: String) -> Answer? {
        let path = String(uri.prefix { $0 != "?" })
        let query = Self.query(of: uri)
        switch path {
        case "/state": return Answer(status: .ok, body: Self.json(desk.state.state))
        default:
            if query["HOST_INFO"] != nil { return Answer(status: .ok, body: OSCQuery.hostInfo(oscPort: oscPort)) }
            let node = OSCQuery.node(at: path, in: desk.state.state)
            return node.map { node in
                guard let attribute = query.keys.sorted().first(where: Self.isAttribute) else {
                    return Answer(status: .ok, body: node.line)
                }
                guard case .object(let object) = node, let value = object[attribute] else {
                    return Answer(status: .noContent, body: "")
                }
                return Answer(status: .ok, body: JSONValue.object([attribute: value]).line)
            }
        }
    }

    /// Returns whether a word of the query names an attribute of a node, for example `VALUE`. Attributes are in upper
    /// case.
    private static func isAttribute(_ word: String) -> Bool {
        !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "_") } && word != "TOKEN"
    }

    private static func json(_ state: SessionState) -> String {
        JSONValue.object([
            "state": .object(state.values.mapValues { JSONValue($0) }), "revision": .number(Double(state.revision)),
        ]).line
    }

    private static func query(of uri: String) -> [String: String] {
        guard let question = uri.firstIndex(of: "?") else { return [:] }
        let pairs = uri[uri.index(after: question)...].split(separator: "&").map { pair -> (String, String) in
            // A single `=` also has two parts, which are both empty.
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (parts[0], parts.count == 2 ? parts[1].removingPercentEncoding ?? "" : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
