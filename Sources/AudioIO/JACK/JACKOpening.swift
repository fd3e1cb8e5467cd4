import CJACK
import CRealtime
import Glibc

/// A client that is opened, if possible, under a unique name.
///
/// jackd numbers a name that is in use (`proscenium-01`). PipeWire 0.3.65 assigns the same name twice, and a port's
/// name is then ambiguous. For PipeWire the name is therefore numbered here.
struct JACKOpening {
    /// The client, and the name that the server assigned.
    let client: OpaquePointer, name: String
    /// Whether another client has ports under that name.
    var isShared: Bool

    /// Time for which a name may still belong to a client that has just been closed, seconds.
    private static let patience = 0.5

    /// Opens a client. `limit` is the length of the longest name, bytes.
    static func open(name: String, exactName: Bool, limit: Int) throws(JACKError) -> JACKOpening {
        var first = try JACKOpening(name, exactName: exactName, limit: limit)
        guard JACKDiagnosis.isPipeWire, first.staysShared() else { return first }
        first.isShared = true
        guard !exactName else { return first }
        for number in 1...99 {
            let numbered = name + (number < 10 ? "-0" : "-") + String(number)
            guard numbered.utf8.count <= limit, let other = try? JACKOpening(numbered, exactName: false, limit: limit)
            else { break }
            JACKRequest.close(other.hasNamesakes ? other.client : first.client)
            if !other.hasNamesakes { return other }
        }
        return first
    }

    private init(_ wanted: String, exactName: Bool, limit: Int) throws(JACKError) {
        var status = jack_status_t(rawValue: 0)
        let options = JackNoStartServer.rawValue | (exactName ? JackUseExactName.rawValue : 0)
        guard let client = cjack_client_open(wanted, jack_options_t(rawValue: options), &status) else {
            throw JACKDiagnosis.error(status: status, name: wanted, exactName: exactName, limit: limit)
        }
        self.client = client
        name = String(cString: jack_get_client_name(client))
        isShared = false
    }

    /// Whether ports with this name exist, although this client has none yet.
    private var hasNamesakes: Bool {
        JACKConnections.ports(of: client, matching: nil, flags: 0).contains { $0.hasPrefix(name + ":") }
    }

    /// Returns whether another client still has the name after `patience` seconds.
    private func staysShared() -> Bool {
        let end = prc_monotonic_nanoseconds() + UInt64(Self.patience * 1e9)
        while hasNamesakes {
            guard prc_monotonic_nanoseconds() < end else { return true }
            usleep(20_000)
        }
        return false
    }
}
