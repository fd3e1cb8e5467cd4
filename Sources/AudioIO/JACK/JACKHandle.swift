/// A client or a port of libjack, for use on any thread.
///
/// `@unchecked Sendable` is safe for two reasons. libjack has locks of its own, so that several threads may call it at
/// once. A client is closed only when no thread uses it or its ports any more, which `JACKQuestions` and `JACKRemains`
/// ensure.
struct JACKHandle: BitwiseCopyable, @unchecked Sendable {
    /// libjack's pointer.
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
