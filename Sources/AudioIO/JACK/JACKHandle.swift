/// A client or a port of libjack, for use on any thread.
///
/// `@unchecked Sendable` is safe for two reasons. libjack has its own locks, so several threads may call it at the same
/// time. A client is closed only when no thread uses it or its ports any more; `JACKQuestions` and `JACKRemains`
/// guarantee that.
struct JACKHandle: BitwiseCopyable, @unchecked Sendable {
    /// libjack's pointer.
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
