import AudioIO
import Foundation
import IMU
import Signal

/// Receives and sends a tracker's MIDI messages through JACK. The module `IMU` does not depend on JACK, and so has no
/// MIDI transport.
package final class JACKMIDITransport: TrackerTransport, Sendable {
    private let client: JACKMIDIClient

    /// Creates a transport that is not open yet. `pattern`: part of the name or alias of the device's JACK port.
    package init(pattern: String) { client = JACKMIDIClient(pattern: pattern) }

    /// Creates the transport of a MIDI tracker; `nil` for other trackers, whose transports are in `IMU`.
    package convenience init?(for specification: TrackerSpecification) {
        guard case .midi(let pattern, _) = specification.source else { return nil }
        self.init(pattern: pattern)
    }

    /// Opens the JACK client and connects it; messages arrive until `stop`. Throws if no server runs or no port
    /// matches.
    package func start(receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]) async throws(TrackerError) {
        let client = self.client
        do throws(JACKError) {
            try client.start { event in
                let answers =
                    switch event {
                    case .connected(let port): receive(.opened(place: port))
                    case .message(let bytes, let arrival): receive(.bytes(bytes, arrival: arrival))
                    case .disconnected(let reason): receive(.lost(reason: reason))
                    }
                if !answers.isEmpty { client.send(answers) }
            }
        } catch {
            throw .midi(error.description)
        }
    }

    /// Sends messages in the JACK server's next period.
    package func send(_ messages: [[UInt8]]) { client.send(messages) }

    /// Closes the client, and waits up to three seconds until it delivers no more messages.
    package func stop() async {
        let client = self.client
        await Worker.apart("jack midi end") { client.stop() }
    }
}

extension JACKMIDITransport {
    /// Returns the names of the sending MIDI ports; `nil` without a JACK server.
    package static func sources() -> [String]? { JACKMIDIClient.sources() }
}
