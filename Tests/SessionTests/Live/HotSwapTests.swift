import AudioIO
import AudioInMemory
import Desk
import Foundation
import Loading
import Stages
import Synchronization
import Testing
import Waiting

@testable import HRTF
@testable import Session

/// Changes of the HRTF set, its preparation or the head while a tone plays: the sound fades as documented, and nothing
/// of the former stage remains.
@Suite(.timeLimit(.minutes(10))) struct HotSwapTests {
    /// Returns a session whose sets are read and prepared as the program does it.
    private static func rig(_ change: (inout StageSettings) -> Void) async throws -> LiveRig {
        let sets = LiveRig.Sets { settings, rate, says throws(SessionError) in
            try StageAssembly.set(settings, sampleRate: rate, says: says)
        }
        let rig = try await LiveRig(
            {
                $0.stage.hrtf = "generated"
                change(&$0.stage)
            }, sets: sets)
        try await rig.patch()
        _ = rig.server.takeEars(of: "proscenium")
        let tone = (0..<48_000 * 45).map { 0.25 * Float(sin(2 * Double.pi * 1000 * Double($0) / 48_000)) }
        for channel in 1...2 { rig.server.play(tone, on: "daw:out_\(channel)") }
        return rig
    }

    /// Returns the tone as played by a stage that is never changed, `[ear][frame]`.
    private static func steady(_ frames: Int, _ change: (inout StageSettings) -> Void) async throws -> [[Float]] {
        let rig = try await rig(change)
        rig.server.run(seconds: Double(frames) / 48_000 + 0.01)
        let ears = rig.server.takeEars(of: "proscenium")
        try await rig.live.end()
        return ears
    }

    @Test(arguments: [
        ("head-circumference", "64"), ("diffuse-field", "on"), ("phase", "minimum"), ("distance", "0.3"),
        ("hrtf", "kemar"),
    ]) func `A swap under a tone is both sounds, faded by the curve that is documented`(
        _ name: String, _ value: String
    ) async throws {
        guard name != "hrtf" || FileManager.default.fileExists(atPath: HRTFLibrary.systemDefault) else { return }
        let change = try ParameterChange(name, [value])
        // The changed set is prepared beforehand, so that the swap comes soon.
        _ = try await Self.steady(4800) { $0.take([change]) }
        let rig = try await Self.rig { _ in }
        rig.server.run(seconds: 0.3)
        await rig.change(.set(change))
        rig.server.run(seconds: 0.2)
        let ears = rig.server.takeEars(of: "proscenium")
        try await rig.live.end()
        let frames = ears[0].count
        let before = try await Self.steady(frames) { _ in }
        let after = try await Self.steady(frames) { $0.take([change]) }
        // The gain of the fade is 6u⁵ − 15u⁴ + 10u³, u: frames since its start, divided by 2400 (50 ms). It starts with
        // a cycle.
        let differs = try #require(
            ears[0].indices.first { ears[0][$0] != before[0][$0] }, "the swap changed nothing")
        var best = (decibels: 0.0, start: -1)
        for start in stride(from: differs / 64 * 64 - 1024, through: differs, by: 64) where start >= 0 {
            var (residue, whole) = (0.0, 0.0)
            for ear in 0..<2 {
                for i in 14_400 - 4800..<frames {
                    let u = max(0, min(1, Double(i - start + 1) / 2400))
                    let s = u * u * u * (u * (6 * u - 15) + 10)
                    let wanted = (1 - s) * Double(before[ear][i]) + s * Double(after[ear][i])
                    residue += (Double(ears[ear][i]) - wanted) * (Double(ears[ear][i]) - wanted)
                    whole += wanted * wanted
                }
            }
            let decibels = 10 * log10(max(1e-30, residue) / whole)
            if decibels < best.decibels { best = (decibels, start) }
        }
        #expect(best.decibels < -100, "\(best.decibels) dB")
        // The two sounds must differ, or the test would show nothing.
        let apart = zip(before[0], after[0]).suffix(9600).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
        let level = before[0].suffix(9600).reduce(0.0) { $0 + Double($1) * Double($1) }
        #expect(10 * log10(apart / level) > -70, "\(10 * log10(apart / level)) dB")
    }

    /// Counter of the renderers that still exist, of the present stage and of former ones.
    fileprivate final class Remains: Sendable {
        private struct Weak: @unchecked Sendable { weak var object: AnyObject? }
        private let all = Mutex<[Weak]>([])
        func add(_ object: AnyObject) { all.withLock { $0.append(Weak(object: object)) } }
        var count: Int { all.withLock { $0.count { $0.object != nil } } }
    }

    @Test func `Twenty swaps leave one stage and one field behind`() async throws {
        let (renderers, fields) = (Remains(), Remains())
        let sets = LiveRig.Sets { settings, rate, _ in
            let size = settings.preparation.headCircumference ?? 56
            let field = FilterField.sphere(sampleRate: rate, radius: HeadSize.radius(circumference: size))
            fields.add(field)
            return (field: field, report: HRTFReport.sphere(at: rate))
        }
        let rig = try await LiveRig(sets: sets)
        try await rig.patch()
        rig.play()
        for number in 0..<20 {
            await rig.live.note(renderers)
            await rig.change(try .set("head-circumference", number % 2 == 0 ? "60" : "52"))
            #expect(LiveRig.level(rig.play()) > -50)
        }
        await rig.live.note(renderers)
        #expect(await eventually { renderers.count == 1 && fields.count == 1 })
        #expect(renderers.count == 1 && fields.count == 1, "\(renderers.count) stages, \(fields.count) fields")
        try await rig.live.end()
    }

    @Test func `A loudspeaker that stands nearer than the others is heard so, and a layout of them fades in`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("near-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func layout(_ name: String, _ distance: String) throws -> String {
            let path = folder + "/\(name).json"
            let text =
                #"{"name": "\#(name)", "loudspeakers": [{"name": "FL", "azimuth": 80\#(distance)}, {"name": "FR", "azimuth": -30}]}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }
        let (far, near) = (try layout("far", ""), try layout("near", #", "distance": 0.25"#))
        let rig = try await Self.rig { $0.layout = far }
        // Only the loudspeaker that moves plays.
        rig.server.disconnect("daw:out_2", from: "proscenium:in_FR")
        func apart() -> Double {
            _ = rig.server.takeEars(of: "proscenium")
            rig.server.run(seconds: 0.2)
            let energies = rig.server.takeEars(of: "proscenium").map { ear in
                ear.reduce(0.0) { $0 + Double($1) * Double($1) }
            }
            return 10 * log10(energies[0] / energies[1])
        }
        rig.server.run(seconds: 0.2)
        let before = apart()
        await rig.change(try .set("layout", near))
        let after = apart()
        #expect(after > before + 4, "\(before) dB, \(after) dB")
        try await rig.live.end()
    }

    @Test func `A swap that cannot be is refused, and what plays plays on`() async throws {
        let rig = try await Self.rig { $0.preparation.processing = .none }
        rig.server.run(seconds: 0.1)
        let reason = await rig.refusal(of: try .set("head-circumference", "57"))
        #expect(reason?.contains("without processing") == true, "\(reason ?? "")")
        #expect(rig.state["head-circumference"] == .word("set"))
        rig.server.run(seconds: 0.1)
        #expect(LiveRig.level(rig.server.takeEars(of: "proscenium")) > -50)
        try await rig.live.end()
    }
}

extension LiveSession {
    /// Adds the renderer of the stage that is heard.
    fileprivate func note(_ remains: HotSwapTests.Remains) { remains.add(stage.assembly.renderer) }
}
