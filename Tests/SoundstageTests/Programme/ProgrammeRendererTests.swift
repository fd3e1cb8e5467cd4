import Foundation
import Signal
import Soundstage
import Testing

@Suite struct ProgrammeRendererTests {
    /// In a process of its own, because other tests need memory too.
    @Test func `A programme that cannot be made leaves no memory behind`() async {
        await #expect(processExitsWith: .success) {
            // Without a centre nothing is upmixed to this layout.
            var layout = try Layout.named("9.1.6")
            layout.loudspeakers.removeAll { $0.symbol == "FC" }
            let programme = Programme(
                layout: layout, hasMultichannelRendition: false, hasStereoRendition: true, upmix: UpmixPlan())
            let controls = ProgrammeControls(programme)
            func refuse(times: Int) {
                for _ in 0..<times {
                    do throws(UpmixError) {
                        _ = try ProgrammeRenderer(programme, controls: controls, sampleRate: .studio)
                        Issue.record("the programme is made")
                    } catch {
                        if error != .noStage(layout: "9.1.6") { Issue.record("\(error)") }
                    }
                }
            }
            /// Memory in use, kilobytes.
            func memory() throws -> Int {
                let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
                return try #require(Int(pages)) * 4
            }
            refuse(times: 2000)
            let before = try memory()
            refuse(times: 50_000)
            #expect(try memory() - before < 1500)
        }
    }
}
