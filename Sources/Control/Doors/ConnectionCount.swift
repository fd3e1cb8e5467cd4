import NIOCore
import Synchronization

/// Open connections of a control interface.
final class ConnectionCount: Sendable {
    /// Greatest number of connections at a time.
    static let most = 64
    private let all = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Adds a connection; returns false if the limit is reached.
    func enter(_ channel: any Channel) -> Bool {
        all.withLock { all in
            guard all.count < Self.most else { return false }
            all[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    /// Removes a connection.
    func leave(_ channel: any Channel) { all.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) } }

    /// Returns, for each connection, the number of bytes that wait until the client reads them.
    func waitingBytes() async -> [Int] {
        var found: [Int] = []
        for channel in all.withLock({ Array($0.values) }) {
            // A connection that closes meanwhile has no waiting bytes.
            if let bytes = try? await channel.getOption(.bufferedWritableBytes).get() { found.append(bytes) }
        }
        return found
    }
}
