import Foundation
import Gate
import Loading
import Processes

/// Programs of PipeWire and of the system with which this program reads and changes PipeWire's objects.
package struct PipeWireTools: Sendable {
    /// Paths of the programs, by their names.
    private let paths: [String: String]

    /// Names of the programs, each with the Debian package that contains it.
    private static let needed = [
        (name: "pw-dump", debian: "pipewire-bin"), (name: "pw-cli", debian: "pipewire-bin"),
        (name: "pw-link", debian: "pipewire-bin"), (name: "pw-metadata", debian: "pipewire-bin"),
        (name: "pw-jack", debian: "pipewire-jack"), (name: "stdbuf", debian: "coreutils"),
        (name: "sh", debian: "dash"), (name: "setsid", debian: "util-linux"),
    ]

    /// Finds the programs on a search path.
    ///
    /// - Throws: `SessionError` with the packages to install, if a program is missing.
    package init(searching path: String) throws(SessionError) {
        var paths: [String: String] = [:]
        for (name, _) in Self.needed {
            paths[name] = Self.find(name, on: path)
        }
        let missing = Self.needed.filter { paths[$0.name] == nil }
        guard missing.isEmpty else {
            var packages: [String] = []
            for (_, debian) in missing where !packages.contains(debian) { packages.append(debian) }
            throw SessionError(
                .environment,
                missing.map(\.name).joined(separator: ", ") + (missing.count == 1 ? " is" : " are")
                    + " not installed; this installs it: sudo apt install \(packages.joined(separator: " "))")
        }
        self.paths = paths
    }

    /// Returns the path of a program on a search path; nil without one.
    static func find(_ name: String, on path: String) -> String? {
        let places = path.split(separator: ":").map { "\($0)/\(name)" as String }
        return places.first { access($0, X_OK) == 0 }
    }

    /// Finds the programs on this process's search path.
    package static var here: PipeWireTools {
        get throws(SessionError) {
            try PipeWireTools(searching: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        }
    }

    /// Returns the path of a program; the name itself if the program is unknown.
    package func path(_ name: String) -> String { paths[name] ?? name }

    /// Runs a program to its end, and returns its output. Nil if it fails, or if it writes nothing for five seconds.
    func run(_ name: String, _ words: [String]) -> String? {
        guard let child = try? ChildProcess(path(name), words) else { return nil }
        var lines: [String] = []
        while true {
            switch child.next(within: 5) {
            case .line(let line): lines.append(line)
            case .ended(.exited(0)): return lines.joined(separator: "\n")
            case .ended, .silent: return nil
            }
        }
    }

    /// Returns the present graph.
    ///
    /// - Throws: `SessionError` if PipeWire does not answer.
    package func graph() throws(SessionError) -> PipeWireGraph {
        var (graph, lines, isTold) = (PipeWireGraph(), DumpLines(), false)
        for line in run("pw-dump", ["-N"])?.split(separator: "\n") ?? [] {
            guard let objects = lines.take(String(line)) else { continue }
            graph.take(objects)
            isTold = true
        }
        guard isTold else {
            throw SessionError(
                .environment, "PipeWire does not answer; this starts it: systemctl --user start pipewire wireplumber")
        }
        return graph
    }

    /// Links two ports; returns false if that fails. A link that exists already counts as made.
    func link(output: Int, input: Int) -> Bool { run("pw-link", ["\(output)", "\(input)"]) != nil }

    /// Switches PipeWire's upmix of a stream off, as long as the stream exists; returns false if that fails.
    func keepChannels(of stream: Int) -> Bool {
        run("pw-cli", ["set-param", "\(stream)", "Props", "{ params = [ \"channelmix.upmix\" false ] }"]) != nil
    }

    /// Requests that the session manager link a stream to the sink of this name, as long as the stream exists. Nil
    /// removes the request, so that the session manager chooses the sink. Returns false if that fails.
    package func place(stream: Int, sink name: String?) -> Bool {
        let key = "target.object"
        guard let name else { return run("pw-metadata", ["-d", "\(stream)", key]) != nil }
        return run("pw-metadata", ["\(stream)", key, name, "Spa:String"]) != nil
    }

    /// Sets the volume of a sink; returns false if that fails.
    func set(_ level: SinkLevel, of sink: Int) -> Bool {
        let channels = level.channels.map { "\($0)" }.joined(separator: " ")
        let volume = "{ mute = \(level.isMuted) channelVolumes = [ \(channels) ] }"
        return run("pw-cli", ["set-param", "\(sink)", "Props", volume]) != nil
    }

    /// Removes a link, or another object, by its id.
    func remove(_ id: Int) { _ = run("pw-cli", ["destroy", "\(id)"]) }

    /// Sets the user's choice of the default sink; nil removes the choice. Returns false if that fails.
    package func choose(sink name: String?) -> Bool {
        let key = "default.configured.audio.sink"
        guard let name else { return run("pw-metadata", ["-d", "0", key]) != nil }
        let value = "{ \"name\": \(JSONValue.text(name).line) }"
        return run("pw-metadata", ["0", key, value, "Spa:String:JSON"]) != nil
    }
}

extension JSONBounds {
    /// For the objects of PipeWire as text: about 4 kB for each; a desktop has a few hundred objects.
    static let graph = JSONBounds(bytes: 1 << 25, values: 1 << 20, entries: 1 << 17, text: 1 << 18, depth: 32)
}
