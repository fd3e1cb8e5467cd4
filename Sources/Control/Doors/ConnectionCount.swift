import NIOCore
import Synchronization

/// Open connections of a door.
final class ConnectionCount: Sendable {
    /// Most connections at a time.
    static let most = 64
    private let all = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Adds a connection; false if the door is full.
    func enter(_ channel: any Channel) -> Bool {
        all.withLock { all in
            guard all.count < Self.most else { return false }
            all[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    /// Removes a connection.
    func leave(_ channel: any Channel) { all.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) } }

    /// Returns, for each connection, the bytes that wait until its client reads.
    func waitingBytes() async -> [Int] {
        var found: [Int] = []
        for channel in all.withLock({ Array($0.values) }) {
            // A connection that closes meanwhile has no bytes waiting.
            if let bytes = try? await channel.getOption(.bufferedWritableBytes).get() { found.append(bytes) }
        }
        return found
    }
}
