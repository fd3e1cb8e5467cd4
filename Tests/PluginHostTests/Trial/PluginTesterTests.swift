import PlantedPlugins
import PluginHost
import Testing

/// Trials of planted plugins in processes of the program.
@Suite struct PluginTesterTests {
    private func test(_ name: String, in folder: String, seconds: Double = 10) throws -> PluginTrialReport {
        let scan = try Planted(folder).scan()
        let tester = PluginTester(
            program: "/usr/bin/env",
            words: ["LV2_PATH=\(folder)", Planted.program, "plugin", "try"], secondsPerStage: seconds)
        return try tester.test(PluginSummary(scan.find(PlantedPlugins.uri(name))))
    }

    @Test(arguments: ["gain", "delay", "filter", "eight", "twelve", "fixed"])
    func `A plugin that does what it says is ok, and measured`(name: String) throws {
        let report = try test(name, in: PlantedPlugins.sound())
        #expect(report.verdict == .ok && report.reason == nil && report.stage == .close, "\(report)")
        let figures = report.figures
        #expect(try #require(figures.percentile99) >= #require(figures.median))
        #expect(figures.latencyFrames == (name == "delay" ? 480 : 0))
        #expect(try #require(figures.savedBytes) > 0)
        // The input is noise of ±0.25; channel c has the factor (c + 1)/16.
        let factor: Float = ["eight": 0.5, "twelve": 0.75][name] ?? 1
        let peak = try #require(figures.peak)
        if name != "filter" { #expect(peak > 0.249 * factor && peak <= 0.25 * factor) }
    }

    @Test(arguments: [
        ("crash-loading", PluginTrialReport.Verdict.crashed, "making an instance: segmentation fault"),
        ("crash-instantiating", .crashed, "making an instance: segmentation fault"),
        ("abort", .crashed, "while running: aborted"), ("hang-instantiating", .hung, "making an instance"),
        ("endless", .hung, "while running"), ("sleep", .failed, "too slow: "),
        ("not-a-number", .failed, "not a finite number: nan, output 1, frame 4800"),
        ("growing", .failed, "120 dB above"),
        ("endless-worker", .failed, "worker"), ("huge-state", .failed, "256 MiB"),
        ("unheard-of", .refused, "urn:proscenium:planted:feature"),
    ])
    func `A plugin that does harm is told from others, and why`(
        name: String, verdict: PluginTrialReport.Verdict, words: String
    ) throws {
        let report = try test(name, in: PlantedPlugins.harmful(), seconds: verdict == .hung ? 2 : 20)
        #expect(report.verdict == verdict && report.reason?.contains(words) == true, "\(report)")
    }

    @Test func `Denormal numbers are flushed: silence costs what sound does`() throws {
        let report = try test("denormal", in: PlantedPlugins.harmful())
        let figures = report.figures
        #expect(report.verdict == .ok)
        // If denormals are not flushed, the ratio is a hundred and more.
        #expect(try #require(figures.silentMedian) < 5 * #require(figures.median))
    }

    @Test(arguments: [
        ("failed-instance", "no instance"), ("missing-descriptor", "lv2_descriptor"),
        ("missing-library", "lv2_lib_descriptor"), ("wrong-uri", "urn:proscenium:planted:another"),
    ])
    func `A binary that is not what its description says fails, and why is said`(name: String, words: String) throws {
        let report = try test(name, in: PlantedPlugins.faulty())
        #expect(report.verdict == .failed && report.reason?.contains(words) == true, "\(report)")
    }
}
