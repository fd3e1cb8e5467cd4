import Foundation
import Geometry
import Testing

@testable import IMU

/// Captures of AirPods, a packet in hexadecimal per line, in `PROSCENIUM_DATA/imu/airpods`: the texts of the folder
/// head-tracking of the public repository kavishdevar/aln, commit 95664ed and those before it.
@Suite struct AirPodsCaptureTests {
    private static let captures: [[[UInt8]]] = {
        guard let data = ProcessInfo.processInfo.environment["PROSCENIUM_DATA"] else { return [] }
        let folder = URL(fileURLWithPath: data).appendingPathComponent("imu/airpods")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "txt" }.sorted { $0.path < $1.path }.compactMap { file in
            let rows = (try? String(contentsOf: file, encoding: .utf8))?.split(whereSeparator: \.isNewline) ?? []
            let packets = rows.map { $0.split(separator: " ").compactMap { UInt8($0, radix: 16) } }.compactMap {
                bytes in
                // Some lines begin with the lengths and the channel of L2CAP.
                bytes.starts(with: AirPodsReport.beginning)
                    ? bytes
                    : bytes.dropFirst(4).starts(with: AirPodsReport.beginning) ? Array(bytes.dropFirst(4)) : nil
            }
            return packets.count > 10 ? packets : nil
        }
    }()

    /// All packets except the first three give a reading. The rate, integrated from packet to packet, equals the turn
    /// of the attitude, in the same axes and sense. Its unit is 1/512 rad/s, within a twentieth over all captures.
    @Test(.enabled(if: !captures.isEmpty, "PROSCENIUM_DATA holds no imu/airpods"))
    func theCapturedRatesAreTheTurnsOfTheAttitudes() {
        var product = 0.0
        var square = 0.0
        var total = 0.0
        for packets in Self.captures {
            var decoder: any TrackerDecoder = AirPodsDecoder(framing: .messages)
            let output = DecoderOutput.of(packets, &decoder)
            #expect(output.readings.count >= packets.count - 3)
            #expect(output.faults.allSatisfy { $0 == .implausible } && output.faults.count <= 3)
            for (before, after) in zip(output.readings, output.readings.dropFirst()) {
                guard case .orientation(let first, let a?) = before.motion,
                    case .orientation(let second, let b?) = after.motion,
                    let start = before.stamp?.seconds, let end = after.stamp?.seconds, end - start < 0.05
                else { continue }
                #expect(abs(end - start - 0.04) < 0.000_3)
                let turn = (first.quaternion.conjugate * second.quaternion).rotationVector
                let integral = (a + b) * ((end - start) / 2)
                product += (turn * integral).sum()
                square += (integral * integral).sum()
                total += (turn * turn).sum()
            }
        }
        #expect(abs(product / square - 1) < 0.05)
        // Share of the turns that the rates explain.
        #expect(product * product / (square * total) > 0.98)
    }

    @Test(.enabled(if: !captures.isEmpty, "PROSCENIUM_DATA holds no imu/airpods"))
    func capturesAreRecognised() {
        for packets in Self.captures {
            for framing in [TrackerFormat.Framing.messages, .stream] {
                var decoder = AutomaticDecoder(framing: framing)
                var output = DecoderOutput()
                for packet in packets { decoder.decode(packet, into: &output) }
                #expect(decoder.recognised == "airpods")
            }
        }
    }
}
