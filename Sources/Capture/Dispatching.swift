/// Runs a closure on any thread, now or later. The capture thread hands slow work over through it.
package typealias Dispatching = @Sendable (@escaping @Sendable () -> Void) -> Void
