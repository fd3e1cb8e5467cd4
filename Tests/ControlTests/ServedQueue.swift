import Desk

@testable import Control

/// A server on a port of the system's choice, whose commands `perform` carries out.
func serve(
    _ perform: @escaping CommandQueue.Perform
) throws -> (server: ControlServer, queue: CommandQueue, address: ControlAddress) {
    let queue = CommandQueue()
    queue.serve(by: perform)
    let server = try ControlServer(at: ControlAddress(port: 0), desk: SessionDesk(commands: queue))
    return (server, queue, server.address)
}
