import Foundation
import IMU
import Testing

@testable import HeadTracking

@Suite struct InertialTableTests {
    private func fuse(_ text: String, pieces: Int = 1 << 16, nine: Bool = false) throws -> String {
        var options = InertialOptions()
        options.usesField = nine
        var table = InertialTable(options: options)
        var output: [UInt8] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try table.take(bytes[start..<min(start + pieces, bytes.count)], into: &output)
        }
        try table.end(into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func aLineComesForEveryLineAndItsTimeIsKept() throws {
        let out = try fuse("0,0,0,0,0,0,9.81\r\n 1e-2 ,0,0,0,0,0,9.81,1,2,3\n0.0200,0,0,0,0,0,9.81")
        #expect(
            out == """
                0,1.000000000,0.000000000,0.000000000,0.000000000
                 1e-2 ,1.000000000,0.000000000,0.000000000,0.000000000
                0.0200,1.000000000,0.000000000,0.000000000,0.000000000

                """)
    }

    @Test func bytesMayComeInAnyPieces() throws {
        let text = (0..<50).map { "\(Double($0) / 100),0.1,-0.2,\(Double($0) / 50),1,-2,9.5,20,1,-40\n" }.joined()
        let whole = try fuse(text)
        for pieces in [1, 2, 7, 100] { #expect(try fuse(text, pieces: pieces) == whole) }
        #expect(try fuse(text, nine: true) != whole)
    }

    @Test(arguments: [
        ("t,gx,gy,gz,ax,ay,az\n", InertialTableError.notANumber(line: 1, field: "t")),
        ("0,0,0,0,0,0,9.81\n1,0,0,0,0,0\n", .fieldCount(line: 2, found: 6, magnetometer: false)),
        ("0,0,0,0,0,0,9.81\n\n1,0,0,0,0,0,9.81\n", .fieldCount(line: 2, found: 0, magnetometer: false)),
        ("0,0,0,0x,0,0,9.81\n", .notANumber(line: 1, field: "0x")),
        ("0,0,0,,0,0,9.81\n", .notANumber(line: 1, field: "")),
        ("0,0,0,nan,0,0,9.81\n", .notFinite(line: 1, column: "gz")),
        ("0,0,0,0,0,0,inf", .notFinite(line: 1, column: "az")),
        ("0,0,0,0,0,0,9.81\n1,1e160,0,0,0,0,9.8", .implausible(line: 2, column: "gx", value: 1e160, most: 100)),
        ("0,0,0,101,0,0,9.8", .implausible(line: 1, column: "gz", value: 101, most: 100)),
        ("0,0,0,0,0,-2001,9.8", .implausible(line: 1, column: "ay", value: -2001, most: 2000)),
        ("1e300,0,0,0,0,0,9.8", .implausible(line: 1, column: "t", value: 1e300, most: 1e19)),
        ("1,0,0,0,0,0,9.81\n1,0,0,0,0,0,9.81\n", .timeNotRising(line: 2, time: "1", previous: "1")),
        (String(repeating: "1", count: 5000), .lineTooLong(line: 1)),
    ])
    func aBadLineIsNamed(_ text: String, _ error: InertialTableError) {
        #expect(throws: error) { try fuse(text) }
        #expect(!error.description.isEmpty)
    }

    @Test func `What lies within the ranges is written, and so are all numbers that come of it`() throws {
        let steps = ["0", "1e-300", "1", "9e18", "1e19"]
        for row in [
            "100,-100,100,2000,-2000,2000,1e7,-1e7,1e7", "0,0,0,0,0,0,0,0,0", "1e-320,0,0,1e-320,0,0,1e-320,0,0",
        ] {
            for nine in [false, true] {
                let output = try fuse(steps.map { "\($0),\(row)\n" }.joined(), nine: nine)
                #expect(output.split(separator: "\n").count == steps.count)
            }
        }
    }

    @Test func theMagnetometerIsNeededInEveryLine() {
        #expect(throws: InertialTableError.fieldCount(line: 2, found: 7, magnetometer: true)) {
            try fuse("0,0,0,0,0,0,9.81,0,20,-40\n1,0,0,0,0,0,9.81\n", nine: true)
        }
    }

    @Test func uncertaintyIsAColumnMore() throws {
        var table = InertialTable(options: InertialOptions(), tellsUncertainty: true)
        var output: [UInt8] = []
        for row in 0..<3000 {
            try table.take(Array("\(Double(row) / 100),0,0,0.01,0,0,9.81\n".utf8)[...], into: &output)
        }
        let rows = String(decoding: output, as: UTF8.self).split(separator: "\n").map { $0.split(separator: ",") }
        #expect(rows.count == 3000 && rows.allSatisfy { $0.count == 6 })
        let deviations = rows.compactMap { Double($0[5]) }
        // 0.57°/s from the first sample on may be a true turn: the deviation grows to some degrees in half a minute.
        #expect(deviations[0] < 0.01 && deviations[2999] > 3 && deviations[2999] < 30)
    }

    @Test func aHeadIsToldAgainstTheDevice() throws {
        // Five seconds of rest; then both turn by 0.5 rad/s, and the head by 0.2 rad/s more. The device's rows begin
        // later.
        func text(_ rate: Double, from first: Int = 0) -> String {
            (first...2000).map { "\(Double($0) / 100),0,0,\($0 > 500 ? rate : 0),0,0,9.81\n" }.joined()
        }
        var rows = InertialRows(usesField: false)
        var device: [InertialRows.Row] = []
        try rows.take(Array(text(0.5, from: 3).utf8)[...]) { device.append($0) }
        #expect(device.count == 1998 && device[0].time == 0.03)
        var table = InertialTable(device: device, options: InertialOptions(), tellsUncertainty: true)
        var output: [UInt8] = []
        try table.take(Array(text(0.7).utf8)[...], into: &output)
        let found = String(decoding: output, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: ",").compactMap { Double($0) }
        }
        #expect(found.count == 2001 && found.allSatisfy { $0.count == 6 })
        for row in found {
            let yaw = 0.2 * max(0, row[0] - 5)
            #expect(abs(abs(row[1] * cos(yaw / 2) + row[4] * sin(yaw / 2)) - 1) < 1e-4, "at \(row[0]) s")
        }
        #expect(found[2000][5] > found[600][5])
    }

    @Test func constantsAreListedInTheirOwnUnits() {
        let names = InertialConstant.all.map(\.name)
        #expect(Set(names).count == names.count)
        for constant in InertialConstant.all {
            let value = constant.value(in: InertialOptions())
            #expect(constant.range.contains(value), "\(constant.name) \(value)")
            #expect(!constant.chosenOn.isEmpty && !constant.unit.isEmpty)
            var options = InertialOptions()
            #expect(constant.set(value, in: &options))
            #expect(abs(constant.value(in: options) - value) < 1e-9)
        }
    }
}
