/// A client or a port of libjack, for use on any thread.
///
/// Invariant (why it may be shared unchecked): libjack's calls may come from several threads at once (it has its own
/// locks), and a client is closed only when no thread uses it or its ports any more; `JACKQuestions` and `JACKRemains`
/// ensure that.
struct JACKHandle: BitwiseCopyable, @unchecked Sendable {
    /// libjack's pointer.
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
