import AudioIO
import AudioInMemory
import Desk
import Foundation
import Rendering
import Signal
import SoundFixtures
import Stages
import Synchronization
import Testing
import Waiting

@testable import HRTF
@testable import Session

/// A live session on a server in memory. Client, clock and filters are the test's, so nothing waits for real hardware.
struct LiveRig {
    let server: MemoryServer
    let clock = ManualClock()
    let said = Said()
    let live: LiveSession

    /// Record of the session's remarks to the terminal.
    final class Said: Sendable {
        private let remarks = Mutex<[SessionRemark]>([])
        var all: [SessionRemark] { remarks.withLock { $0 } }
        var notes: [String] {
            all.compactMap { if case .note(let text) = $0 { text } else { nil } }
        }
        func add(_ remark: SessionRemark) { remarks.withLock { $0.append(remark) } }
    }

    /// Source of filters. A value, so that a trailing closure of a call is not taken for it.
    struct Sets {
        let fields: SessionEnvironment.Fields
    }

    /// Begins a session with a stereo stage, unless `change` alters it, and an unconnected player with the outputs
    /// `daw:out_1` to `daw:out_8`. `sets` replaces the sphere's filters.
    init(
        on server: MemoryServer = MemoryServer(), _ change: (inout LiveSettings) -> Void = { _ in },
        sets: Sets? = nil, hears: @escaping @Sendable (SessionRemark) -> Void = { _ in }
    ) async throws {
        self.server = server
        if !server.clients.contains("daw") {
            server.addClient("daw", outputs: (1...8).map { "out_\($0)" })
        }
        var settings = LiveSettings(stage: StageSettings(layout: "stereo", limiter: .off))
        change(&settings)
        var environment = LiveRig.environment(server, clock, said, hears)
        environment.fields = sets?.fields ?? environment.fields
        live = try await LiveSession(settings, in: environment)
    }

    /// Returns the environment of a test's session: a sphere's responses instead of a file's.
    static func environment(
        _ server: MemoryServer, _ clock: ManualClock, _ said: Said,
        _ hears: @escaping @Sendable (SessionRemark) -> Void = { _ in }
    ) -> SessionEnvironment {
        SessionEnvironment(
            server: server, clock: clock,
            fields: { _, rate, says in
                says("a sphere's responses")
                return (field: fields.at(rate), report: HRTFReport.sphere(at: rate))
            },
            tell: {
                said.add($0)
                hears($0)
            })
    }

    private static let fields = Fields()

    /// A sphere's filters for each rate, made once.
    private final class Fields: Sendable {
        private let made = Mutex<[Double: FilterField]>([:])
        func at(_ rate: SampleRate) -> FilterField {
            made.withLock { made in
                if let field = made[rate.hertz] { return field }
                let field = FilterField.sphere(sampleRate: rate)
                made[rate.hertz] = field
                return field
            }
        }
    }

    /// Connects the player to the first inputs and the ears to the sound card.
    func patch(inputs: [String] = ["FL", "FR"]) async throws {
        for (number, input) in inputs.enumerated() {
            try #require(server.connect("daw:out_\(number + 1)", to: "proscenium:in_\(input)"))
        }
        try #require(server.connect("proscenium:out_L", to: "system:playback_1"))
        try #require(server.connect("proscenium:out_R", to: "system:playback_2"))
        try await heard { $0.playback.state == "playing" && $0.playback.right == ["system:playback_2"] }
    }

    /// Plays noise on the first `channels` outputs of the player for `seconds` of sound, and returns the ears,
    /// `[ear][frame]`.
    @discardableResult
    func play(channels: Int = 2, seconds: Double = 0.1, seed: UInt64 = 7) -> [[Float]] {
        _ = server.takeEars(of: "proscenium")
        for channel in 0..<channels {
            server.play(
                Self.noise(Int(seconds * 48_000), seed: seed + UInt64(channel)), on: "daw:out_\(channel + 1)")
        }
        server.run(seconds: seconds)
        return server.takeEars(of: "proscenium")
    }

    /// Returns when the state is as requested; the session has then handled all earlier events.
    func heard(
        _ isAsRequested: (SessionStatus) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let came = await eventually { isAsRequested(await live.status()) }
        try #require(came, "the state never was as requested", sourceLocation: sourceLocation)
    }

    /// Returns when the session plays on a server that is back; advances the clock between the session's looks and
    /// builds.
    func comesBack(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<40 {
            _ = await eventually {
                guard let outage = await live.outage else { return true }
                return !outage.isLooking && !outage.isBuilding
            }
            if await live.status().serverGoneFor == nil { return }
            await clock.advance(by: 0.25)
        }
        Issue.record("the session never plays again", sourceLocation: sourceLocation)
    }

    /// Performs a command; records an issue if it is refused.
    func done(_ command: SessionCommand, sourceLocation: SourceLocation = #_sourceLocation) async {
        if case .refused(let why) = await live.perform(command) {
            Issue.record("refused: \(why)", sourceLocation: sourceLocation)
        }
    }

    /// Performs a command; returns the reason of a refusal, nil without one.
    func refusal(of command: SessionCommand) async -> String? {
        if case .refused(let why) = await live.perform(command) { why } else { nil }
    }

    /// Returns white noise within ±0.1.
    static func noise(_ count: Int, seed: UInt64) -> [Float] { WhiteNoise.samples(count, seed: seed) }

    /// Returns the root mean square of the second half, both ears, dB.
    static func level(_ ears: [[Float]]) -> Double {
        let rows = ears.map { $0.suffix($0.count / 2) }
        let sum = rows.joined().reduce(0.0) { $0 + Double($1) * Double($1) }
        return 10 * log10(max(1e-20, sum / Double(max(1, rows.reduce(0) { $0 + $1.count }))))
    }
}

extension HRTFReport {
    /// Returns the report of a sphere as an HRTF set.
    static func sphere(at rate: SampleRate) -> HRTFReport {
        HRTFReport(
            name: "sphere", path: "", licence: "none", citation: "", directions: 0, distance: 0, setRate: rate.hertz,
            sessionRate: rate.hertz, storedTaps: 96, playedTaps: 96, gridPoints: 0, delaySpread: 0,
            commonDelayRemoved: 0, headRadius: 0.0875, diffuseFieldDeviation: 0, gain: Decibels(0), processing: [],
            remarks: [])
    }
}
