import Foundation
import Geometry
import Testing

@testable import IMU

/// The sender and the sketch in `Examples` send the protocol as documented.
@Suite struct TrackerExampleTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func readings(_ bytes: [UInt8]) -> DecoderOutput {
        var decoder = LineDecoder(framing: .stream)
        var output = DecoderOutput()
        decoder.decode(bytes, into: &output)
        return output
    }

    private func sent(_ arguments: String...) throws -> DecoderOutput {
        let sender = root.appendingPathComponent("Examples/trackers/send_tracker.py").path
        let result = try Counterparts.run(
            "/usr/bin/env", ["python3", sender, "--to", "-", "--seconds", "3"] + arguments)
        #expect(result.status == 0)
        return readings(Array(result.output.utf8))
    }

    /// The raw rows of the sender, integrated, equal the orientations that it sends. Its force at the front is gravity.
    @Test(arguments: [["imu"], ["json"], ["imu", "--no-checksum"]])
    func theSendersRawRowsFitItsOrientations(form: [String]) throws {
        let poses = try sent("--as", "quat").readings.compactMap { reading -> Quaternion? in
            if case .orientation(let rotation, _) = reading.motion { rotation.quaternion } else { nil }
        }
        let raw = form.count > 1 ? try sent("--as", form[0], form[1]) : try sent("--as", form[0])
        #expect(raw.faults.isEmpty && raw.identity == "example")
        #expect(poses.count == 300 && raw.readings.count == 300)
        var pose = poses[0]
        for (index, reading) in raw.readings.enumerated() {
            #expect(reading.sequence == SenderSequence(UInt64(index), modulus: 1 << 32))
            #expect(abs((reading.stamp?.seconds ?? -1) - Double(index) / 100) < 1e-9)
            guard case .inertial(let sample) = reading.motion else { continue }
            // The mean of the rates at both ends of an interval is used, because the rate at its middle is not sent.
            if index > 0, case .inertial(let before) = raw.readings[index - 1].motion {
                pose = pose * Quaternion(rotationVector: (before.rate + sample.rate) * 0.005)
            }
            #expect(near(poses[index].rotate(sample.force), SIMD3(0, 0, standardGravity), within: 1e-3))
        }
        #expect(pose.angle(to: poses[299]) < 0.01 * .pi / 180)
    }

    /// The sketch, compiled for this machine with a sensor that lies flat and turns to the left at 90 °/s.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/g++"), "g++ is not installed"))
    func theSketchsRowsAreUnderstood() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sketch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let board = """
            #pragma once
            #include <cstdint>
            #include <cstdio>
            #include <cstring>
            static uint64_t elapsed = 4294900000ull;  // The counter wraps soon.
            inline uint32_t micros() { return (uint32_t)(elapsed += 50); }
            inline char *dtostrf(double value, signed char width, unsigned char digits, char *text) {
              sprintf(text, "%*.*f", width, digits, value);
              return text;
            }
            static struct { void begin(long) {} void write(const uint8_t *b, size_t n) { fwrite(b, 1, n, stdout); } } Serial;
            """
        let wire = """
            #pragma once
            #include "Arduino.h"
            static const int16_t steps[7] = {0, 0, 8192, 1234, 0, 0, 2952};
            static struct {
              int place = 0;
              void begin() {}
              void setClock(long) {}
              void beginTransmission(uint8_t) {}
              void write(uint8_t) {}
              uint8_t endTransmission(bool = true) { return 0; }
              int requestFrom(int, int count) { place = 0; return count; }
              uint8_t read() {
                uint16_t word = (uint16_t)steps[place / 2];
                return place++ % 2 ? word & 255 : word >> 8;
              }
            } Wire;
            """
        let program = """
            #include "Arduino.h"
            #include "mpu6050.ino"
            int main() { setup(); while (count < 50) loop(); }
            """
        for (name, text) in [("Arduino.h", board), ("Wire.h", wire), ("main.cpp", program)] {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        let binary = folder.appendingPathComponent("sketch").path
        let sketch = root.appendingPathComponent("Examples/trackers/mpu6050").path
        let compiled = try Counterparts.run(
            "/usr/bin/g++",
            [
                "-Wall", "-Werror", "-I", folder.path, "-I", sketch, "-o", binary,
                folder.appendingPathComponent("main.cpp").path,
            ])
        #expect(compiled.status == 0)
        let output = readings(Array(try Counterparts.run(binary, []).output.utf8))
        #expect(output.faults.isEmpty && output.identity == "mpu6050" && output.readings.count == 50)
        for (before, after) in zip(output.readings, output.readings.dropFirst()) {
            #expect((after.sequence?.number ?? 0) == (before.sequence?.number ?? 0) + 1)
            // The interval is ten milliseconds, also where the microsecond counter wraps.
            #expect(abs((after.stamp?.seconds ?? 0) - (before.stamp?.seconds ?? 0) - 0.01) < 2e-4)
            #expect(after.means(.inertial(SIMD3(0, 0, 1.57080), SIMD3(0, 0, 9.80665))))
        }
    }

    /// The row that the document shows first is right, checksum included.
    @Test func theDocumentsRowIsRight() throws {
        let text = try String(
            contentsOf: root.appendingPathComponent("Documentation/reference/tracker-protocol.md"), encoding: .utf8)
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("    imu,") })
        let output = readings(Array((row.dropFirst(4) + "\n").utf8))
        #expect(output.readings.first?.means(.inertial(SIMD3(0.01, -0.02, 0.03), SIMD3(0.1, 0.2, 9.81))) == true)
        #expect(output.readings.first?.stamp?.seconds == 1234.567890123)
    }

    /// The document contains `auto` and the formats of every transport.
    @Test func theDocumentNamesWhatIsSent() throws {
        let text = try String(
            contentsOf: root.appendingPathComponent("Documentation/reference/tracker-protocol.md"), encoding: .utf8)
        for name in ["Razor", "x-IMU3", "WitMotion", "Xsens", "Polhemus", "Supperware", "SlimeVR"] {
            #expect(text.contains("| \(name)"))
        }
    }
}
