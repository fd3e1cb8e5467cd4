/// Returns whether a condition comes true: yields 2000 times to ready tasks, then polls each millisecond for 198 s.
public func eventually(_ isTrue: () async -> Bool) async -> Bool {
    for turn in 0..<200_000 {
        if await isTrue() { return true }
        if turn < 2000 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
    return false
}
