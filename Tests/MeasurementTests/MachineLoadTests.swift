import Testing

@testable import Measurement

struct MachineLoadTests {
    @Test func othersAreWhatIsBusyWithoutUs() throws {
        // user nice system idle iowait irq softirq steal guest guest_nice, in ticks of 10 ms; guests are part of user.
        let before = try #require(snapshot("cpu  1000 0 500 8000 100 0 50 350 30 0\ncpu0 1 2 3", own: 2))
        let after = try #require(snapshot("cpu  1300 100 600 8300 100 0 100 450 90 0\n", own: 4))
        let load = try #require(MachineLoad(from: before, to: after))
        // 9.5 s of processor time have passed: 5.5 s busy, 2 s of these by this program; 1 s stolen.
        #expect(abs(load.others - 3.5 / 9.5) < 1e-12)
        #expect(abs(load.stolen - 1 / 9.5) < 1e-12)
        #expect(load.disturbs)
    }

    @Test func aMachineAtRestDoesNotDisturb() throws {
        let before = try #require(snapshot("cpu 0 0 0 0 0 0 0 0 0 0", own: 0))
        // This program's time is counted finer than in ticks, and may exceed the total busy time.
        let after = try #require(snapshot("cpu 100 0 0 900 0 0 0 0 0 0", own: 1.004))
        let load = try #require(MachineLoad(from: before, to: after))
        #expect(load.others == 0)
        #expect(!load.disturbs)
        #expect(MachineLoad(from: after, to: after) == nil)
    }

    @Test func textsThatAreNotStatisticsAreRefused() {
        #expect(snapshot("", own: 0) == nil)
        #expect(snapshot("intr 1 2 3 4 5 6 7 8 9", own: 0) == nil)
        #expect(snapshot("cpu  1 2 3", own: 0) == nil)
    }

    private func snapshot(_ text: String, own: Double) -> MachineLoad.Snapshot? {
        MachineLoad.Snapshot(statistics: text, ticksPerSecond: 100, own: own)
    }
}
