import NIOCore
import OSC
import Session
import Synchronization

/// Who is sent the state of the session unasked: control surfaces that said `/proscenium/watch`, for 30 s each time.
///
/// What happens they are sent when it happens, at any rate: `/proscenium/event ss`, see `PlaybackMessages`. Beside that, each gets `/proscenium/pose fff` (yaw, pitch, roll in degrees) and `/proscenium/state s` (JSON, as `ctl status --json`).
/// Any thread.
final class Watchers: Sendable {
    /// Seconds that one request lasts; whoever goes on listening asks again.
    static let patience: Duration = .seconds(30)
    /// The most there may be at a time: sending is cheap, but strangers must not make it dear.
    static let capacity = 32

    private struct Watcher {
        var interval: Duration
        var next: ContinuousClock.Instant
        var end: ContinuousClock.Instant
    }

    private let watchers = Mutex<[SocketAddress: Watcher]>([:])
    private let loops = Mutex<[Task<Void, Never>]>([])

    /// Puts a listener on the list, or takes it off where `rate` (times per second) is 0. False: the list is full.
    func set(_ address: SocketAddress, rate: Double) -> Bool {
        watchers.withLock { watchers in
            guard rate > 0 else {
                watchers[address] = nil
                return true
            }
            guard watchers[address] != nil || watchers.count < Self.capacity else { return false }
            let now = ContinuousClock.now
            watchers[address] = Watcher(interval: .seconds(1 / rate), next: now, end: now + Self.patience)
            return true
        }
    }

    /// Begins to send over a channel what `perform` says of the state.
    func begin(
        over channel: any Channel, telling events: SessionEvents?,
        _ perform: @escaping @Sendable (SessionCommand) async -> SessionReply
    ) {
        if let events {
            let happening = events.subscribe()
            let task = Task { [self] in
                for await event in happening {
                    let bytes = OSCPacket.message(PlaybackMessages.message(for: event)).encoded()
                    for address in watching(at: .now) {
                        try? await channel.writeAndFlush(
                            AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: bytes)))
                    }
                }
            }
            loops.withLock { $0.append(task) }
        }
        let task = Task { [self] in
            while !Task.isCancelled {
                let due = due(at: .now)
                if !due.isEmpty, case .status(let status) = await perform(.status) {
                    let angles = [status.yaw, status.pitch, status.roll].map { OSCArgument.float(Float($0)) }
                    let messages = [
                        OSCMessage(ControlWire.prefix + "pose", angles),
                        OSCMessage(ControlWire.prefix + "state", [.string(ControlMessages.json(status))]),
                    ]
                    for address in due {
                        for message in messages {
                            let bytes = ByteBuffer(bytes: OSCPacket.message(message).encoded())
                            try? await channel.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: bytes))
                        }
                    }
                }
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
        loops.withLock { $0.append(task) }
    }

    /// Ends sending.
    func end() { for task in loops.withLock({ $0 }) { task.cancel() } }

    /// Who is on the list.
    private func watching(at now: ContinuousClock.Instant) -> [SocketAddress] {
        watchers.withLock { $0.filter { $0.value.end > now }.map(\.key) }
    }

    /// Whose turn it is; forgets those whose time is over.
    private func due(at now: ContinuousClock.Instant) -> [SocketAddress] {
        watchers.withLock { watchers in
            watchers = watchers.filter { $0.value.end > now }
            var due: [SocketAddress] = []
            for (address, watcher) in watchers where watcher.next <= now {
                due.append(address)
                // Where sending fell behind, the missed turns are left out.
                watchers[address]?.next = now + watcher.interval
            }
            return due
        }
    }
}
