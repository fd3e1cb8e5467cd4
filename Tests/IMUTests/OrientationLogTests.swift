import Geometry
import IMU
import Testing

@Suite struct OrientationLogTests {
    private typealias Log = OrientationLog<Head, Stage>

    private func fault(_ text: String) -> OrientationLogError? {
        do {
            _ = try Log(csv: Array(text.utf8))
            return nil
        } catch { return error }
    }

    @Test func whatIsWrittenIsReadBackExactly() throws {
        let log = try Log(
            times: [0, 0.1, 1.0 / 3], poses: [.identity, Rotation(yaw: 1), Rotation(yaw: 2, pitch: 0.3)])
        let back = try Log(csv: Array(log.csv.utf8))
        #expect(back.times == log.times)
        for (a, b) in zip(back.poses, log.poses) { #expect(a.angle(to: b) < 1e-12) }
        #expect(log.csv.hasPrefix("t,w,x,y,z\n"))
    }

    @Test func theHeaderMayBeMissingAndLinesMayBeWindows() throws {
        #expect(try Log(csv: Array("0,1,0,0,0\r\n# a remark\r\n\r\n 1 , 1, 0,0,0\r\n".utf8)).times == [0, 1])
    }

    @Test func itIsInterpolatedAndHeldAtItsEnds() throws {
        let log = try Log(times: [1, 2, 4], poses: [.identity, Rotation(yaw: 1), Rotation(yaw: 0)])
        #expect(log.pose(at: 0) == .identity)
        #expect(abs(log.pose(at: 1.25).quaternion.yaw - 0.25) < 1e-12)
        #expect(abs(log.pose(at: 3).quaternion.yaw - 0.5) < 1e-12)
        #expect(log.pose(at: 9).angle(to: .identity) < 1e-9)
        #expect(log.duration == 3)
    }

    @Test func everyFaultSaysItsLine() {
        #expect(fault("") == .noRows)
        #expect(fault("t,w,x,y,z\n") == .noRows)
        #expect(fault("time,yaw\n1,2\n") == .badHeader("time,yaw"))
        #expect(fault("<!DOCTYPE html>") == .badHeader("<!DOCTYPE html>"))
        #expect(fault("t,w,x,y,z\n0,1,0,0\n") == .wrongFieldCount(line: 2, found: 4))
        #expect(fault("t,w,x,y,z\n0,1,0,0,zero\n") == .notANumber(line: 2, field: "zero"))
        #expect(fault("t,w,x,y,z\n0,1,0,0,nan\n") == .notFinite(line: 2))
        #expect(fault("t,w,x,y,z\n0,1,0,0,0\n1,0.5,0,0,0\n") == .notUnit(line: 3, length: 0.5))
        #expect(
            fault("t,w,x,y,z\n0,1,0,0,0\n2,1,0,0,0\n1,1,0,0,0\n") == .timesOutOfOrder(line: 4, time: 1, previous: 2))
        #expect(fault("t,w,x,y,z\n0,1,0,0,0\n0,1,0,0,0\n") == .timesOutOfOrder(line: 3, time: 0, previous: 0))
        #expect(throws: OrientationLogError.notText) { try Log(csv: [0xff, 0xfe, 0x00]) }
    }

    @Test func outOfOrderIsToldPlainly() {
        #expect(
            "\(OrientationLogError.timesOutOfOrder(line: 4, time: 1, previous: 2))"
                == "line 4: the time 1.0 does not come after 2.0; sort the rows by time")
    }
}
