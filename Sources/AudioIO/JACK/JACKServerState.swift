import CJACK
import Synchronization

/// What a client's server does, as the server tells it on threads of its own; part of what the audio thread uses.
struct JACKServerState: ~Copyable {
    /// Whether it lets time stand still between periods.
    let isFreewheeling = Atomic<Bool>(false)
    /// Whether it has ended.
    let isGone = Atomic<Bool>(false)

    /// Memory for it, which stays where it is; its maker frees it after the client is closed.
    static func make() -> UnsafeMutablePointer<JACKServerState> {
        let state = UnsafeMutablePointer<JACKServerState>.allocate(capacity: 1)
        state.initialize(to: JACKServerState())
        return state
    }

    /// Gives that memory back.
    static func free(_ state: UnsafeMutablePointer<JACKServerState>) {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Has a client that is not active yet tell it.
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
