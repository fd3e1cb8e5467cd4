import Synchronization

/// Requests of the person to a running measurement, for example from the panel. Only the newest request is kept, until
/// it is followed. A request to stop is never replaced or removed. May be used on any thread.
package final class PersonRequests: Sendable {
    /// One request. A look is given as the planned yaw of the head, degrees, or as the number of the headphones' fit.
    package enum Request: Sendable, Equatable {
        /// Begins the take that waits for the person.
        case begin
        /// Records this look anew: the present one, or one with a good take, which is then set aside.
        case again(Double)
        /// Leaves this look out, if it is the present one.
        case skip(Double)
        /// Ends the measurement.
        case stop
    }

    private let newest = Mutex<Request?>(nil)

    /// Creates an object without a request.
    package init() {}

    /// Makes a request.
    package func put(_ request: Request) {
        newest.withLock { newest in
            if newest != .stop { newest = request }
        }
    }

    /// The request that waits; nil without one.
    package var waiting: Request? { newest.withLock { $0 } }

    /// Whether the request that waits is to end the measurement.
    package var isStop: Bool { waiting == .stop }

    /// Returns whether the waiting request ends the wait for a look, or its take. A request to leave out another look,
    /// which may have its take already, does not.
    package func ends(_ look: Double) -> Bool {
        switch waiting {
        case .again?, .stop?: true
        case .skip(let other)?: other == look
        case .begin?, nil: false
        }
    }

    /// Returns the waiting request, and removes it unless it is to stop; nil without one.
    package func take() -> Request? {
        newest.withLock { newest in
            let taken = newest
            if taken != .stop { newest = nil }
            return taken
        }
    }

    /// Returns whether the waiting request is to begin, and then removes it.
    package func takesBegin() -> Bool {
        newest.withLock { newest in
            guard newest == .begin else { return false }
            newest = nil
            return true
        }
    }
}
