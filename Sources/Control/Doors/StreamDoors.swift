import Desk
import Glibc
import Loading
import NIOCore
import NIOPosix
import OSC
import Synchronization

/// Control interfaces with connections: JSON lines over a Unix socket, OSC over TCP, and HTTP with WebSocket. All run
/// on one separate thread. Their commands are added to the command queue like those of any other control interface.
package final class StreamDoors: Sendable {
    private let desk: SessionDesk
    private let access: DoorAccess
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let open = Mutex<(channels: [any Channel], sockets: [SocketFile], counts: [ConnectionCount])>(([], [], []))

    /// A socket in the file system: its path, and the device and node that identify it.
    private struct SocketFile: Equatable {
        let path: String, device: dev_t, node: ino_t

        /// Reads the file at a path; nil if there is none.
        init?(at path: String) {
            var found = stat()
            guard lstat(path, &found) == 0 else { return nil }
            (self.path, device, node) = (path, found.st_dev, found.st_ino)
        }

        /// Removes the file, unless another file has its path by now.
        func remove() { if SocketFile(at: path) == self { unlink(path) } }
    }

    /// Creates the interfaces; none is open yet.
    package init(at desk: SessionDesk, access: DoorAccess = DoorAccess()) {
        self.desk = desk
        self.access = access
        // This thread sends most of the telemetry. Sampling on the same thread saves the wake-up of another one.
        let loop = group.next()
        desk.telemetry.beat { seconds, work in
            let beat = LoopBeat(seconds, work)
            beat.begin(on: loop)
            return { beat.end() }
        }
    }

    /// Opens a Unix socket for JSON lines, to which only this user can connect. A socket that an ended session has left
    /// at the path is replaced. The caller must have reserved the path (`SessionSockets.claim`), so that no other
    /// session opens it at the same time.
    ///
    /// - Throws: an error if a session listens at the path, or if the socket cannot be opened or protected from other
    ///   users.
    package func openSocket(at path: String) async throws(SessionError) {
        guard !SessionSockets.isTaken(path) else {
            throw SessionError(.environment, "another session listens at \(path)")
        }
        let count = newCount()
        let desk = desk
        do {
            let channel = try await bootstrap { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LineHandler(desk, count))
                }
            }.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
            guard chmod(path, 0o600) == 0 else {
                try? await channel.close()
                throw SessionError(
                    .environment,
                    "access to \(path) cannot be limited to this user: \(String(cString: strerror(errno)))")
            }
            open.withLock {
                $0.channels.append(channel)
                if let file = SocketFile(at: path) { $0.sockets.append(file) }
            }
        } catch let error as SessionError {
            throw error
        } catch {
            throw SessionError(.environment, "cannot listen at \(path): \(error)")
        }
    }

    /// Opens OSC over TCP. Packets are preceded by their length (OSC 1.0) or in SLIP frames (OSC 1.1); the first byte
    /// from the client decides which. Returns false if the port is in use.
    package func openOSC(at address: ControlAddress) async throws(SessionError) -> Bool {
        try access.check(address)
        let count = newCount()
        let (desk, access) = (desk, access)
        return try await listen(at: address) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(OSCStreamHandler(desk, access, count))
            }
        } != nil
    }

    /// Opens HTTP with WebSocket; see `WebHandler`. Returns its address. `page`: page of the control panel that it
    /// serves; nil for none.
    package func openWeb(
        at address: ControlAddress, oscPort: Int?, page: PanelPage? = nil
    ) async throws(SessionError) -> ControlAddress {
        try access.check(address)
        let site = WebSite(desk: desk, access: access, address: address, oscPort: oscPort, page: page)
        let count = newCount()
        guard
            let port = try await listen(
                at: address, { channel in WebHandler.configure(channel, site, count) })
        else {
            let option = page == nil ? "--http" : "--panel"
            throw SessionError(.environment, "port \(address) is in use; choose another with \(option)")
        }
        return ControlAddress(host: address.host, port: port)
    }

    /// Closes all interfaces. Earlier replies are still sent to connected clients.
    package func close() async {
        let (channels, sockets) = open.withLock { open in
            defer { open = ([], [], []) }
            return (open.channels, open.sockets)
        }
        for channel in channels { try? await channel.close() }
        for socket in sockets { socket.remove() }
        try? await group.shutdownGracefully()
    }

    /// Returns, for each connection, the number of bytes that wait until the client reads them.
    func waitingBytes() async -> [Int] {
        var found: [Int] = []
        for count in open.withLock({ $0.counts }) { found += await count.waitingBytes() }
        return found
    }

    /// Returns a new set of connections for an interface that is being opened.
    private func newCount() -> ConnectionCount {
        let count = ConnectionCount()
        open.withLock { $0.counts.append(count) }
        return count
    }

    private func listen(
        at address: ControlAddress, _ accept: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws(SessionError) -> Int? {
        do {
            let channel = try await bootstrap(accept).bind(host: address.numericHost, port: address.port).get()
            open.withLock { $0.channels.append(channel) }
            return channel.localAddress?.port ?? address.port
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            return nil
        } catch {
            throw SessionError(.environment, "cannot listen at \(address): \(error)")
        }
    }

    private func bootstrap(_ accept: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 1 << 16, high: 1 << 18))
            .childChannelInitializer(accept)
    }
}
