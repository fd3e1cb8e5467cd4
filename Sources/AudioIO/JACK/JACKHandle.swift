/// A client or a port of libjack, for use on any thread.
///
/// `@unchecked Sendable` is safe for two reasons. `JACKRequest` orders the calls that wait for the server; libjack's
/// other calls read shared memory or have their own locks. A client is closed only when no thread uses the client or
/// its ports any more; `JACKQuestions` and `JACKRemains` guarantee that.
struct JACKHandle: BitwiseCopyable, @unchecked Sendable {
    /// libjack's pointer.
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
