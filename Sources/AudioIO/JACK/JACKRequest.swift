import CJACK
import Synchronization

/// Calls of libjack that wait for an answer from the server.
///
/// libjack writes such a request to the client's socket and reads the answer from this socket, without a lock (jack2,
/// `JackGenericClientChannel::ServerSyncCall`). If two threads use one client, each may read the answer to the other's
/// request. Here each request of a client waits until the earlier ones are answered. Requests of different clients do
/// not wait for each other. They may be made on any thread but the audio thread. In libjack's own callbacks the server
/// refuses them.
enum JACKRequest {
    private final class Turn: Sendable {
        let lock = Mutex<Void>(())
    }

    /// Locks of the clients that have made a request and are not closed, by the clients' addresses.
    private static let turns = Mutex<[Int: Turn]>([:])

    /// Makes a request when all earlier requests of the client are answered.
    private static func one<Value>(_ client: OpaquePointer, _ request: () -> Value) -> Value {
        let key = Int(bitPattern: client)
        let turn = turns.withLock { turns in
            let turn = turns[key] ?? Turn()
            turns[key] = turn
            return turn
        }
        var answer: Value?
        turn.lock.withLock { _ in answer = request() }
        guard let answer else { preconditionFailure("a request was not made") }
        return answer
    }

    @discardableResult
    static func connect(_ client: OpaquePointer, _ output: String, _ input: String) -> Int32 {
        one(client) { jack_connect(client, output, input) }
    }

    @discardableResult
    static func disconnect(_ client: OpaquePointer, _ output: String, _ input: String) -> Int32 {
        one(client) { jack_disconnect(client, output, input) }
    }

    /// Returns nil if the server refuses the port, in general because it has no port left or is gone.
    static func registerPort(
        _ client: OpaquePointer, _ name: String, _ type: String, _ flags: UInt
    ) -> OpaquePointer? {
        one(client) { jack_port_register(client, name, type, flags, 0) }
    }

    static func unregisterPort(_ client: OpaquePointer, _ port: OpaquePointer) {
        _ = one(client) { jack_port_unregister(client, port) }
    }

    static func activate(_ client: OpaquePointer) -> Int32 { one(client) { jack_activate(client) } }

    static func deactivate(_ client: OpaquePointer) { _ = one(client) { jack_deactivate(client) } }

    /// Closes the client. Afterwards another client may have the same address.
    static func close(_ client: OpaquePointer) {
        _ = one(client) { jack_client_close(client) }
        _ = turns.withLock { $0.removeValue(forKey: Int(bitPattern: client)) }
    }

    static func recomputeLatencies(_ client: OpaquePointer) {
        _ = one(client) { jack_recompute_total_latencies(client) }
    }

    /// Returns the identifier of the client with a name; nil if there is no such client. The caller frees the
    /// identifier with `jack_free`.
    static func identifier(_ client: OpaquePointer, ofClient name: String) -> UnsafeMutablePointer<CChar>? {
        one(client) { jack_get_uuid_for_client_name(client, name) }
    }

    /// Returns whether the server accepted the property.
    @discardableResult
    static func setProperty(
        _ client: OpaquePointer, _ subject: jack_uuid_t, _ key: String, _ value: String, _ type: String
    ) -> Bool {
        one(client) { jack_set_property(client, subject, key, value, type) == 0 }
    }

    static func removeProperty(_ client: OpaquePointer, _ subject: jack_uuid_t, _ key: String) {
        _ = one(client) { jack_remove_property(client, subject, key) }
    }

    static func removeProperties(_ client: OpaquePointer, _ subject: jack_uuid_t) {
        _ = one(client) { jack_remove_properties(client, subject) }
    }
}
