/// Has a piece of work done, on any thread, now or later: how the capturing thread hands over what would hold it up.
package typealias Dispatching = @Sendable (@escaping @Sendable () -> Void) -> Void
