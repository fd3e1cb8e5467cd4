import Foundation
import Geometry
import Testing

@testable import IMU

/// The SoundScape Renderer's Razor client, on a pseudo-terminal to which a script sends the golden bytes.
@Suite struct RazorClientTests {
    /// A device that answers as the firmware does, and SSR on a JACK server without hardware. The script prints the
    /// bytes that SSR sent and, for each yaw that the device sends, the azimuth that SSR reports.
    private static let script = """
        import os, pty, re, socket, struct, subprocess, sys, tempfile, threading, time, tty
        device, line = pty.openpty()
        tty.setraw(device); tty.setraw(line)
        os.set_blocking(device, False)
        asked, yaw, isBinary = b"", 0.0, False
        def speak():
            global asked, isBinary
            while True:
                try:
                    heard = os.read(device, 256)
                except BlockingIOError:
                    heard = b""
                asked += heard
                if b"#s00" in heard:
                    os.write(device, b"#SYNCH00\\r\\n")
                if b"#s01" in heard:
                    os.write(device, b"#SYNCH01\\r\\n")
                    isBinary = True
                if isBinary:
                    try:
                        os.write(device, struct.pack("<3f", yaw, 5, -3))
                    except BlockingIOError:
                        pass
                time.sleep(0.02)
        threading.Thread(target=speak, daemon=True).start()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        folder = tempfile.TemporaryDirectory()  # It saves its scene where it stands.
        complaints = open(os.path.join(folder.name, "complaints"), "w+")

        def missing(what):
            complaints.seek(0)
            sys.exit(f"{what}; the renderer's status {renderer.poll()}, its last words: {complaints.read()[-600:]!r}")

        renderer = subprocess.Popen(
            ["ssr-binaural", "--tracker=razor", "--tracker-port=" + os.ttyname(line), f"--ip-server={port}"],
            cwd=folder.name, stdin=subprocess.PIPE, stdout=complaints, stderr=complaints)
        try:
            end = time.monotonic() + 120
            while True:
                try:
                    control = socket.create_connection(("127.0.0.1", port))
                    break
                except OSError:
                    if renderer.poll() is not None or time.monotonic() > end:
                        missing("no connection to the renderer")
                    time.sleep(0.1)
            control.settimeout(60)
            # It takes for the front what it hears first.
            while not isBinary:
                if renderer.poll() is not None or time.monotonic() > end:
                    missing("the renderer did not ask for binary angles")
                time.sleep(0.1)
            time.sleep(1)
            for yaw in (0.0, 30.0, -20.0, 150.0):
                said = b""
                # It repeats its state; the last three alike are the answer.
                while True:
                    said += control.recv(65536)
                    found = re.findall(rb"reference_offset><orientation azimuth='([^']*)'", said)
                    if len(found) >= 30 and len(set(found[-20:])) == 1:
                        print(yaw, float(found[-1]))
                        break
            print(asked.decode())
        finally:
            renderer.kill()
            renderer.wait()
        """

    private static let isHere = ["/usr/bin/ssr-binaural", "/usr/bin/jackd"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(.enabled(if: isHere, "the SoundScape Renderer or jackd is not installed (soundscaperenderer-nox, jackd2)"))
    func theSoundScapeRendererReadsTheSameBytesAlike() throws {
        let result = try Counterparts.run(
            Counterparts.root.appendingPathComponent("Scripts/jack-sandbox").path,
            ["--rate", "44100", "--period", "1024", "/usr/bin/python3", "-c", Self.script])
        let lines = result.output.split(separator: "\n")
        try #require(result.status == 0 && lines.count == 5, "status \(result.status), printed \(result.output)")
        // SSR switches the device to binary with the same bytes as this program.
        var decoder = RazorDecoder()
        var output = DecoderOutput()
        var asked = decoder.opening.flatMap { $0 }
        decoder.decode(Array("#SYNCH00\r\n".utf8), into: &output)
        asked += output.replies.flatMap { $0 }
        #expect(String(lines[4]) == String(decoding: asked, as: UTF8.self))
        decoder.decode(Array("#SYNCH01\r\n".utf8), into: &output)
        for line in lines[..<4] {
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            let frame = [Float(numbers[0]), 5, -3].flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(8 * $0)) }
            }
            decoder.decode(frame, into: &output)
            guard case .orientation(let rotation, _) = output.readings.last?.motion else { continue }
            // Both count azimuth counter-clockwise.
            let difference = rotation.quaternion.yaw - numbers[1] * .pi / 180
            #expect(abs(Quaternion(yaw: difference, pitch: 0, roll: 0).yaw) < 0.01, "\(line)")
        }
        #expect(output.readings.count == 4)
    }
}
