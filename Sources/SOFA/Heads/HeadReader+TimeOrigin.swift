/// Where time begins, and which way it runs, in responses made of transfer functions.
extension HeadReader {
    /// Simulated transfer functions refer to the head's centre: the nearer ear's response begins before time 0, which
    /// a discrete transform puts at the end. All are turned alike, so that they begin after the longest quiet.
    mutating func startAtQuietest(_ store: inout ResponseStore, _ signals: HeadSignals) {
        let n = signals.sampleCount
        var energy = [Double](repeating: 0, count: n)
        for row in 0..<(2 * store.kept.count) {
            for i in 0..<n { energy[i] += Double(store.responses[row * n + i]) * Double(store.responses[row * n + i]) }
        }
        let arc = max(1, n / 4)
        let total = energy.reduce(0, +)
        var sum = energy[(n - arc)...].reduce(0, +)
        // Less is the ringing of a band's end; heads put a tenth of it and more there.
        guard sum > 0.03 * total else { return }
        let before = sum
        // Energy of the arc before each place.
        var quiet = [sum]
        for end in 1..<n {
            sum += energy[end - 1] - energy[(end - 1 + n - arc) % n]
            quiet.append(max(0, sum))
        }
        // Where it is as quiet as anywhere, the last place: closest to what begins then.
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
