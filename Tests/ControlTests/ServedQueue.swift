import Desk

@testable import Control

/// Starts a server on a port that the system chooses; `perform` carries out its commands.
func serve(
    _ perform: @escaping CommandQueue.Perform
) throws -> (server: ControlServer, queue: CommandQueue, address: ControlAddress) {
    let queue = CommandQueue()
    queue.serve(by: perform)
    let server = try ControlServer(at: ControlAddress(port: 0), desk: SessionDesk(commands: queue))
    return (server, queue, server.address)
}
