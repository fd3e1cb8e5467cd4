import Foundation
import Geometry
import Testing

@testable import IMU

/// The scripts that forward packets of headphones send the documented requests, and pass on all packets.
@Suite struct HeadphoneForwarderTests {
    private let scripts = Counterparts.root.appendingPathComponent("Examples/trackers")

    /// Starts a Python program that prints a line when it is ready.
    private func begin(_ program: String, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        _ = pipe.fileHandleForReading.readData(ofLength: 1)
        return process
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// A program stands in for AirPods: it answers the greeting, and sends packets after head tracking is requested.
    @Test func airPodsAreGreetedAskedForwardedAndStopped() throws {
        let standIn = """
            import socket, sys
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            listener.bind(sys.argv[1])
            listener.listen(1)
            print("ready", flush=True)
            line, _ = listener.accept()
            def expect(code, text):
                if line.recv(4096) != bytes.fromhex(text):
                    sys.exit(code)
            expect(2, "00000400010002000000000000000000")
            line.send(bytes.fromhex("010004000000010003000000000000000000"))
            expect(3, "04000400170000001000100008a102420b080e10021a0501409c0000")
            line.send(bytes.fromhex("040004000400010401640201"))
            for packet in sys.argv[2:]:
                line.send(bytes.fromhex(packet))
            expect(4, "040004001700000010001100087e1002420b084e10021a050100000000")
            """
        let packets = (1...3).map { count -> [UInt8] in
            var packet = AirPodsPacket()
            packet.count = UInt64(count)
            packet.head = Quaternion(yaw: 0.1 * Double(count), pitch: 0, roll: 0)
            return packet.bytes
        }
        try withFolder { folder in
            let path = folder.appendingPathComponent("pods").path
            let process = try begin(standIn, [path] + packets.map(hexadecimal))
            let forwarder = scripts.appendingPathComponent("airpods_to_udp.py").path
            // `run` returns the output as text. The packets are binary, so they are written to a file.
            let out = folder.appendingPathComponent("out").path
            let result = try Counterparts.run(
                "/bin/sh",
                ["-c", "exec python3 \"$1\" \"unix:$2\" --to - --packets 3 > \"$3\"", "sh", forwarder, path, out])
            process.waitUntilExit()
            #expect(result.status == 0 && process.terminationStatus == 0)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: out)))
            #expect(bytes == packets.flatMap { $0 })
            var decoder: any TrackerDecoder = AirPodsDecoder(framing: .stream)
            #expect(DecoderOutput.of([bytes], &decoder).readings.map { $0.sequence?.number } == [1, 2, 3])
        }
    }

    /// A capture's lines may begin with the lengths of L2CAP; text that is no packet is reported with its line number.
    @Test func capturesArePlayed() throws {
        let forwarder = scripts.appendingPathComponent("airpods_to_udp.py").path
        let packet = AirPodsPacket().bytes
        let text = "\(hexadecimal(packet))\n\n4f 00 0b 05 \(hexadecimal(packet))\n"
        for (text, status, count) in [(text, 0 as Int32, 2), ("no packet\n", 1, 0)] {
            try Counterparts.withFile(Array(text.utf8)) { path in
                try withFolder { folder in
                    let out = folder.appendingPathComponent("out").path
                    let result = try Counterparts.run(
                        "/bin/sh",
                        [
                            "-c", "exec python3 \"$1\" --replay \"$2\" --to - > \"$3\" 2>/dev/null", "sh", forwarder,
                            path, out,
                        ])
                    #expect(result.status == status)
                    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: out)))
                    #expect(bytes == Array(repeating: packet, count: count).flatMap { $0 })
                }
            }
        }
    }

    /// A module stands in for bleak. It has one tracker, which sends after the request is written to the
    /// characteristic.
    @Test func notificationsOfWavesNxAreForwarded() throws {
        let module = """
            import os, types
            class Lost(Exception): pass
            exc = types.SimpleNamespace(BleakError=Lost)
            class BleakScanner:
                @staticmethod
                async def find_device_by_filter(chosen, timeout):
                    for name in ("other", "Nx Tracker"):
                        if chosen(types.SimpleNamespace(name=name), types.SimpleNamespace(local_name=None)):
                            return name
            class BleakClient:
                def __init__(self, device, disconnected_callback):
                    if device != "Nx Tracker": raise Lost(device)
                async def __aenter__(self): return self
                async def __aexit__(self, *_): pass
                async def start_notify(self, name, heard): self.name, self.heard = name, heard
                async def write_gatt_char(self, name, data, response):
                    assert name == "0000a011-5761-7665-7341-7564696f4c74" and bytes(data) == bytes([50, 0, 0, 0, 1])
                    assert self.name == "0000a015-5761-7665-7341-7564696f4c74"
                    self.heard(None, bytearray.fromhex("00000000412d412d0003"))
            """
        let receiver = """
            import os, socket, subprocess, sys
            inlet = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            inlet.bind(("127.0.0.1", 0))
            inlet.settimeout(60)
            child = subprocess.Popen([sys.executable, sys.argv[1], "--rate", "50", "--to",
                f"127.0.0.1:{inlet.getsockname()[1]}"], env=dict(os.environ, PYTHONPATH=sys.argv[2]))
            try:
                print(inlet.recv(100).hex())
            finally:
                child.kill()  # Signals may be blocked in programs that a test starts.
                child.wait()
            """
        try withFolder { folder in
            try module.write(to: folder.appendingPathComponent("bleak.py"), atomically: true, encoding: .utf8)
            let result = try Counterparts.run(
                "/usr/bin/env",
                ["python3", "-c", receiver, scripts.appendingPathComponent("nx_to_udp.py").path, folder.path])
            #expect(result.status == 0 && result.output == "00000000412d412d0003\n")
        }
    }
}
