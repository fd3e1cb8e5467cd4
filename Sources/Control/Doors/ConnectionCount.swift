import NIOCore
import Synchronization

/// The connections at a door.
final class ConnectionCount: Sendable {
    /// Connections at a time.
    static let most = 64
    private let all = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// One more; false: there is no room.
    func enter(_ channel: any Channel) -> Bool {
        all.withLock { all in
            guard all.count < Self.most else { return false }
            all[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    /// It is gone.
    func leave(_ channel: any Channel) { all.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) } }

    /// Bytes that wait at each connection until its other end reads.
    func waitingBytes() async -> [Int] {
        var found: [Int] = []
        for channel in all.withLock({ Array($0.values) }) {
            // One that closes meanwhile has nothing waiting any more.
            if let bytes = try? await channel.getOption(.bufferedWritableBytes).get() { found.append(bytes) }
        }
        return found
    }
}
