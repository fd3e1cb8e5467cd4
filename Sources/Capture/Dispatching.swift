/// Runs a closure on any thread, now or later. The capture thread passes slow work to it.
package typealias Dispatching = @Sendable (@escaping @Sendable () -> Void) -> Void
