import CKernels
import Testing

@Suite struct LoudnessKernelTests {
    /// BS.1770-5, Annex 1, at 48 kHz.
    private static let shelf = [
        1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585,
    ]
    private static let highPass = [1.0, -2.0, 1.0, -1.99004745483398, 0.99007225036621]

    /// Returns the energy after both sections, computed sample by sample.
    private func energy(_ row: [Float]) -> Double {
        var sum = 0.0
        var past = [0.0, 0.0, 0.0, 0.0]
        for sample in row {
            let x = Double(sample)
            let y = Self.shelf[0] * x + past[0]
            past[0] = Self.shelf[1] * x - Self.shelf[3] * y + past[1]
            past[1] = Self.shelf[2] * x - Self.shelf[4] * y
            let z = Self.highPass[0] * y + past[2]
            past[2] = Self.highPass[1] * y - Self.highPass[3] * z + past[3]
            past[3] = Self.highPass[2] * y - Self.highPass[4] * z
            sum += z * z
        }
        return sum
    }

    private func weigh(
        _ table: prk_table, _ rows: [UnsafePointer<Float>?], frames: Int, states: inout [Double],
        energies: inout [Double]
    ) {
        let (s, h) = (Self.shelf, Self.highPass)
        states.withUnsafeMutableBufferPointer { states in
            energies.withUnsafeMutableBufferPointer { energies in
                rows.withUnsafeBufferPointer { rows in
                    var job = prk_weighting(
                        count: frames, channels: energies.count, rows: rows.baseAddress,
                        shelf: (s[0], s[1], s[2], s[3], s[4]), high_pass: (h[0], h[1], h[2], h[3], h[4]),
                        states: states.baseAddress, energies: energies.baseAddress)
                    table.weigh(&job)
                }
            }
        }
    }

    @Test(arguments: instructionSets) func everyChannelsEnergyIsThatOfTheRecursionHoweverItIsCut(_ name: String) throws
    {
        let table = try #require(prk_table_named(name)).pointee
        let (channels, frames) = (32, 1000)
        let rows = (0..<channels).map { noise(frames, seed: UInt64($0) + 1) }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: channels * frames)
        defer { memory.deallocate() }
        for channel in 0..<channels { for i in 0..<frames { memory[channel * frames + i] = rows[channel][i] } }
        func at(_ frame: Int) -> [UnsafePointer<Float>?] {
            (0..<channels).map { UnsafePointer(memory + $0 * frames + frame) }
        }
        var (states, energies) = ([Double](repeating: 0, count: 4 * channels), [Double](repeating: 0, count: channels))
        weigh(table, at(0), frames: frames, states: &states, energies: &energies)
        for channel in 0..<channels {
            let exact = energy(rows[channel])
            #expect(abs(energies[channel] - exact) < 1e-11 * exact)
        }
        var (again, parts) = ([Double](repeating: 0, count: 4 * channels), [Double](repeating: 0, count: channels))
        var done = 0
        for count in [1, 0, 64, 435, 500] {
            weigh(table, at(done), frames: count, states: &again, energies: &parts)
            done += count
        }
        #expect(again == states && parts == energies)
    }
}
