/// A client or a port of libjack's, as any thread may hold it.
///
/// Invariant (why it may be shared unchecked): libjack's calls may come from several threads at once (its own locks),
/// and a client is closed only when no thread asks anything of it or of its ports any more; `JACKQuestions` and
/// `JACKRemains` see to that.
struct JACKHandle: BitwiseCopyable, @unchecked Sendable {
    /// libjack's own.
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
