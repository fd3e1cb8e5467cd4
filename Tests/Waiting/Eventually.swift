/// Whether something comes true: tasks that are ready are given every chance to run, and then some time.
public func eventually(_ isTrue: () async -> Bool) async -> Bool {
    for turn in 0..<200_000 {
        if await isTrue() { return true }
        if turn < 2000 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
    return false
}
