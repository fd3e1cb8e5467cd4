import CJACK
import Synchronization

/// State of a client's server. Threads of libjack write the state. It is part of the memory that the audio thread uses.
struct JACKServerState: ~Copyable {
    /// Whether the server runs in freewheel mode.
    let isFreewheeling = Atomic<Bool>(false)
    /// Whether the server has ended.
    let isGone = Atomic<Bool>(false)

    /// Allocates the state at a fixed address. The caller frees it after the client is closed.
    static func make() -> UnsafeMutablePointer<JACKServerState> {
        let state = UnsafeMutablePointer<JACKServerState>.allocate(capacity: 1)
        state.initialize(to: JACKServerState())
        return state
    }

    static func free(_ state: UnsafeMutablePointer<JACKServerState>) {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Registers callbacks that keep the state up to date. The client must not be active yet.
    static func follow(_ client: OpaquePointer, in state: UnsafeMutablePointer<JACKServerState>) {
        jack_set_freewheel_callback(
            client,
            { starting, argument in
                argument?.assumingMemoryBound(to: JACKServerState.self).pointee.isFreewheeling
                    .store(starting != 0, ordering: .relaxed)
            }, state)
        jack_on_shutdown(
            client,
            { argument in
                argument?.assumingMemoryBound(to: JACKServerState.self).pointee.isGone.store(true, ordering: .relaxed)
            }, state)
    }
}
