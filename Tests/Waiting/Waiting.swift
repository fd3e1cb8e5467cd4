import Foundation

/// Longest wait. An awaited result comes within milliseconds, on a crowded machine within seconds.
private let patience = Duration.seconds(300)

/// Waits until `holds` returns true, five minutes at most; other tasks run meanwhile.
///
/// - Parameter period: the time between two checks.
/// - Returns: whether it became true.
public func comes(every period: Duration = .milliseconds(1), _ holds: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + patience
    while !holds() {
        guard ContinuousClock.now < end else { return holds() }
        try? await Task.sleep(for: period)
    }
    return true
}

/// Waits on this thread until `holds` returns true, five minutes at most.
///
/// - Parameter period: the time between two checks, seconds.
/// - Returns: whether it became true.
public func comes(every period: TimeInterval = 0.001, _ holds: () -> Bool) -> Bool {
    let end = ContinuousClock.now + patience
    while !holds() {
        guard ContinuousClock.now < end else { return holds() }
        Thread.sleep(forTimeInterval: period)
    }
    return true
}
