/// Origin of time in responses computed from transfer functions.
extension HeadReader {
    /// If responses begin before time 0, rotates all by the same number of samples, so that they start near the end of
    /// the quietest part. Simulated transfer functions refer to the head's centre: the response of the nearer ear
    /// begins before time 0, which a discrete transform puts at the end.
    mutating func startAtQuietest(_ store: inout ResponseStore, _ signals: HeadSignals) {
        let n = signals.sampleCount
        var energy = [Double](repeating: 0, count: n)
        for row in 0..<(2 * store.kept.count) {
            for i in 0..<n { energy[i] += Double(store.responses[row * n + i]) * Double(store.responses[row * n + i]) }
        }
        let arc = max(1, n / 4)
        let total = energy.reduce(0, +)
        var sum = energy[(n - arc)...].reduce(0, +)
        // A smaller share of the energy in the last quarter is ringing of the band limit. Responses that begin before
        // time 0 have at least a tenth of their energy there.
        guard sum > 0.03 * total else { return }
        let before = sum
        // Energy of the arc before each sample.
        var quiet = [sum]
        for end in 1..<n {
            sum += energy[end - 1] - energy[(end - 1 + n - arc) % n]
            quiet.append(max(0, sum))
        }
        // The last of the quietest samples is nearest to the next onset.
        let least = quiet.min() ?? 0
        guard least < 0.25 * before, let end = quiet.lastIndex(where: { $0 <= 2 * least + 1e-5 * total }) else {
            return
        }
        let start = (end + n - min(16, n / 16)) % n
        guard start != 0 else { return }
        store.rotate(from: start)
        let delay = Double(n - start) / signals.sampleRate
        remarks.append(
            "responses began before time 0; all were delayed alike by \((delay * 1e5).rounded() / 100) ms")
    }
}
