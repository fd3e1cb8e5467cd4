import Foundation
import Geometry
import NIOCore
import NIOPosix
import Synchronization

/// One tracker, listened to: orientations are handed on as they arrive.
///
/// Any thread may call its methods. `receive` runs on the inlet's own thread, one call at a time; keep it short.
package final class TrackerInlet: Sendable {
    /// What the user asked for.
    package let specification: TrackerSpecification
    private let clock: @Sendable () -> Double
    private let receive: @Sendable (OrientationSample) -> Void
    private let decoder: Mutex<OrientationDecoder>
    private let fileHealth = Mutex(TrackerHealth())
    private let running = Mutex<Running>(.stopped)

    private enum Running: Sendable {
        case stopped
        case listening(any Channel)
        case playing(Task<Void, Never>)
    }

    /// An inlet that is not yet open. `clock` yields seconds of the host's monotonic clock.
    package init(
        _ specification: TrackerSpecification, clock: @escaping @Sendable () -> Double,
        receive: @escaping @Sendable (OrientationSample) -> Void
    ) {
        self.specification = specification
        self.clock = clock
        self.receive = receive
        let language: OrientationDecoder.Language =
            if case .opentrack = specification.source { .opentrack } else { .osc }
        decoder = Mutex(
            OrientationDecoder(language, inversion: specification.inversion, latency: specification.latency))
    }

    /// What came and what was dropped, so far.
    package var health: TrackerHealth {
        if case .file = specification.source { return fileHealth.withLock { $0 } }
        return decoder.withLock { $0.health }
    }

    /// The UDP port in use, once open; `nil` for trackers without one.
    package var localPort: Int? {
        running.withLock { if case .listening(let channel) = $0 { channel.localAddress?.port } else { nil } }
    }

    /// Opens the tracker. A log is read whole before the first orientation is handed on.
    package func start() async throws(TrackerError) {
        switch specification.source {
        case .none: break
        case .osc(let address, let port), .opentrack(let address, let port):
            let channel = try await listen(address, port)
            running.withLock { $0 = .listening(channel) }
        case .file(let path):
            let log = try OrientationLog<Body, World>(contentsOf: path)
            running.withLock { $0 = .playing(play(log)) }
        }
    }

    /// Closes the tracker; nothing is handed on afterwards.
    package func stop() async {
        let was = running.withLock { state in
            defer { state = .stopped }
            return state
        }
        switch was {
        case .stopped: break
        case .listening(let channel): try? await channel.close().get()
        case .playing(let task):
            task.cancel()
            await task.value
        }
    }

    private func listen(_ address: String, _ port: Int) async throws(TrackerError) -> any Channel {
        guard let place = try? SocketAddress(ipAddress: address, port: port) else { throw .badAddress(address) }
        do {
            return try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Listener(inlet: self))
                    }
                }
                .bind(to: place).get()
        } catch let error as IOError {
            switch error.errnoCode {
            case EADDRINUSE: throw .portInUse(address: address, port: port)
            case EACCES, EPERM: throw .portForbidden(address: address, port: port)
            case EADDRNOTAVAIL: throw .addressNotHere(address)
            default: throw .cannotListen(address: address, port: port, errno: error.errnoCode)
            }
        } catch {
            throw .cannotListen(address: address, port: port, errno: 0)
        }
    }

    fileprivate func take(_ datagram: [UInt8]) {
        let arrival = clock()
        for sample in decoder.withLock({ $0.decode(datagram, at: arrival) }) { receive(sample) }
    }

    private func play(_ log: OrientationLog<Body, World>) -> Task<Void, Never> {
        Task.detached { [self] in
            let start = clock() - log.times[0]
            for (time, pose) in zip(log.times, log.poses) {
                let wait = start + time - clock()
                if wait > 0 { try? await Task.sleep(for: .seconds(wait)) }
                if Task.isCancelled { return }
                fileHealth.withLock { $0.countArrival(at: start + time) }
                let arrival = start + time
                receive(
                    OrientationSample(time: arrival - specification.latency, bodyToWorld: pose, arrival: arrival))
            }
        }
    }
}

/// Hands each datagram to its inlet.
private final class Listener: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    private let inlet: TrackerInlet

    init(inlet: TrackerInlet) { self.inlet = inlet }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inlet.take(Array(unwrapInboundIn(data).data.readableBytesView))
    }

    /// A UDP socket reports faults of earlier sends or of the network here; the port stays open.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension OrientationLog {
    /// Reads a log from a file; the error names the path.
    package init(contentsOf path: String) throws(TrackerError) {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw .unreadable(path: path, reason: isThere ? error.localizedDescription : "there is no such file")
        }
        do { try self.init(csv: bytes) } catch { throw .badLog(path: path, error) }
    }
}
