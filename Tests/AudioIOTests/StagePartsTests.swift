import AudioInMemory
import Foundation
import Rendering
import SeamMeasures
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

/// Several stages that share the ports of one driver.
@Suite struct StagePartsTests {
    private static func ports(_ names: [String]) -> [StagePort] {
        names.map { StagePort(symbol: $0, prettyName: $0, group: "g") }
    }
    private static let stereo = ports(["FL", "FR"])

    private static func part(transparent: Bool = false, _ outlet: StagePart.Outlet = .ears) throws -> StagePart {
        StagePart(try makeStage(transparent: transparent), inputs: stereo, outlet: outlet)
    }

    private static func driver(_ parts: [StagePart], heard: Int = 0) -> MemoryDriver {
        MemoryDriver(parts, heard: heard, sampleRate: .studio)
    }

    @Test(arguments: [0, 1]) func `What plays unheard changes nothing of what is heard`(heard: Int) throws {
        let sound = noise(9600)
        let periods = Array(repeating: 240, count: 40)
        let alone = Self.driver([try Self.part(transparent: heard == 1)])
        let both = Self.driver([try Self.part(), try Self.part(transparent: true)], heard: heard)
        #expect(both.run(sound, periods: periods) == alone.run(sound, periods: periods))
        #expect(both.isSettled)
    }

    @Test func `Whichever is turned to is as if it had always been heard`() throws {
        let sound = noise(24_000)
        let periods = Array(repeating: 240, count: 100)
        let second = Self.driver([try Self.part(transparent: true)]).run(sound, periods: periods)
        let both = Self.driver([try Self.part(), try Self.part(transparent: true)])
        let before = both.run(sound.map { Array($0[..<9600]) }, periods: Array(periods[..<40]))
        both.hear(1)
        let after = both.run(sound.map { Array($0[9600...]) }, periods: Array(periods[40...]))
        #expect(both.isSettled)
        let settled = 9600 + 2400
        for ear in 0..<2 {
            #expect(Array((before[ear] + after[ear])[settled...]) == Array(second[ear][settled...]))
        }
    }

    @Test(arguments: [100.0, 440, 1000]) func `One fades into the other without a click`(hertz: Double) throws {
        let frames = 48_000
        let tone = (0..<frames).map { Float(0.5 * sin(2 * .pi * hertz * Double($0) / 48_000)) }
        let driver = Self.driver([try Self.part(), try Self.part(transparent: true)])
        var ears: [[Float]] = [[], []]
        for part in [1, 0, 1, 0] {
            driver.hear(part)
            let played = driver.run(
                [tone, tone].map { Array($0[ears[0].count..<ears[0].count + 9600]) },
                periods: Array(repeating: 240, count: 40))
            for ear in 0..<2 { ears[ear] += played[ear] }
        }
        for ear in ears {
            let level = Self.splatter(ear, from: 4800)
            #expect(level < -74, "\(level) dB")
        }
    }

    /// Energy above 4 kHz relative to the whole, dB. The high-pass runs twice, so that a tone of 1 kHz does not mask
    /// it.
    private static func splatter(_ ear: [Float], from first: Int) -> Double {
        let high = HighPass.over(4000, HighPass.over(4000, ear, 48_000).map { Float($0) }, 48_000)
        let energy = high[first...].reduce(0.0) { $0 + $1 * $1 }
        return 10 * log10(energy / ear[first...].reduce(0.0) { $0 + Double($1) * Double($1) })
    }

    @Test func `A stage that comes in plays on where the stream is, and keeps what was there`() throws {
        let sound = noise(24_000)
        let first = try Self.part()
        let whole = Self.driver([try Self.part()]).run(sound, periods: Array(repeating: 240, count: 100))
        let driver = Self.driver([first])
        var ears = driver.run(sound.map { Array($0[..<2400]) }, periods: Array(repeating: 240, count: 10))
        let second = try Self.part(transparent: true)
        driver.play([first, second], heard: 0)
        for (ear, row) in driver.run(
            sound.map { Array($0[2400..<12_000]) }, periods: Array(repeating: 240, count: 40)
        ).enumerated() { ears[ear] += row }
        #expect(ears[0] == Array(whole[0][..<12_000]) && ears[1] == Array(whole[1][..<12_000]))
        #expect(second.renderer.telemetry()?.streamFrame == 12_000)
        driver.hear(1)
        _ = driver.run(sound, periods: Array(repeating: 240, count: 11))
        driver.play([second], heard: 0)
        #expect(driver.isSettled == false)
        let alone = driver.run(sound.map { Array($0[2640...]) }, periods: Array(repeating: 240, count: 40))
        let plain = Self.driver([try Self.part(transparent: true)])
        let same = plain.run(sound, periods: Array(repeating: 240, count: 51))
        #expect(Array(alone[0][2400...]) == Array(same[0][(2640 + 2400)...]))
        #expect(second.renderer.telemetry()?.streamFrame == 12_000 + 51 * 240)
    }

    @Test func `The print bus has what is behind the part that is heard`() throws {
        let sound = noise(12_000)
        let periods = Array(repeating: 240, count: 50)
        let driver = Self.driver([
            try Self.part(), try Self.part(transparent: true, .print), try Self.part(transparent: true),
            try Self.part(.print),
        ])
        let ears = driver.run(sound, periods: periods)
        let (plain, transparent) = (
            Self.driver([try Self.part()]).run(sound, periods: periods),
            Self.driver([try Self.part(transparent: true)]).run(sound, periods: periods)
        )
        #expect(ears == plain && driver.printed == transparent)
        driver.hear(2)
        _ = driver.run(sound, periods: periods)
        #expect(driver.isSettled)
    }

    @Test func `Ports that parts share keep their connections; others come and go`() throws {
        let server = MemoryServer(period: 256)
        server.addClient("daw", outputs: ["1", "2", "3"])
        let stage = try server.openStage(name: "stage")
        let first = try Self.part()
        try stage.activate([first], heard: 0, start: .firstCycle, mutesOnRouteLoss: false)
        for (output, input) in [("1", "FL"), ("2", "FR")] {
            try stage.connect("daw:\(output)", to: "stage:in_\(input)")
        }
        let second = StagePart(try makeStage(transparent: true), inputs: Self.ports(["FR", "FC"]))
        try stage.play([first, second, try Self.part(.print)], heard: 0)
        #expect(Set(server.ports).isSuperset(of: ["stage:in_FC", "stage:print_L", "stage:print_R"]))
        try stage.connect("daw:3", to: "stage:in_FC")
        server.run(cycles: 4)
        stage.hear(1)
        server.run(cycles: 12)
        #expect(stage.isSettled)
        try stage.play([second], heard: 0)
        #expect(
            Set(server.links) == [
                JACKLink(from: "daw:2", to: "stage:in_FR"), JACKLink(from: "daw:3", to: "stage:in_FC"),
            ])
        #expect(!server.ports.contains { $0.contains("print") || $0.contains("in_FL") })
        _ = server.takeEars(of: "stage")
        server.play([Float](repeating: 0.25, count: 256), on: "daw:3")
        server.run(cycles: 1)
        #expect(server.takeEars(of: "stage")[1].contains { $0 != 0 })
        stage.close()
        #expect(throws: JACKError.self) { try stage.play([second], heard: 0) }
    }
}
