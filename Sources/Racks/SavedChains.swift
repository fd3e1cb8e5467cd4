import Foundation
import Gate
import Loading

/// Content of `chains.json` in a folder of saved chains. Keys that this version does not support are kept.
package struct SavedChains {
    /// Plugins, chain by chain, in order.
    package var plugins: [Plugin]
    /// Other keys of the file.
    package var others: [String: JSONValue] = [:]

    private static let version = 1.0
    /// Greatest number of plugins in all chains. Each place has at most `PluginRack.most`, and a stage has about a
    /// hundred places.
    private static let mostPlugins = 4096
    private static let fileName = "chains.json"

    /// One plugin.
    package struct Plugin {
        /// Request from which the plugin is made again, with its name in commands. The folder of its state is in
        /// `states` instead. Preset and controls, which are set after the state, are saved only for a plugin that is
        /// absent or has no saved state.
        package var request: PluginRequest
        /// Folders of the instances' states, relative paths.
        package var states: [String]
        /// Values of the controls, only for readers of the file. The values that are restored are in the folder of the
        /// state.
        package var controls: [String: Float]

        /// Creates a plugin; see the properties.
        package init(_ request: PluginRequest, states: [String] = [], controls: [String: Float] = [:]) {
            (self.request, self.states, self.controls) = (request, states, controls)
        }
    }

    /// Returns the requests of a saved folder.
    package static func requests(in folder: String) throws(SessionError) -> [PluginRequest] {
        let path = URL(fileURLWithPath: folder)
        return try SavedChains(folder: folder).plugins.map { plugin in
            var request = plugin.request
            request.state = plugin.states.first.map { path.appendingPathComponent($0).path }
            return request
        }
    }

    /// Creates chains that can be written.
    package init(plugins: [Plugin] = []) { self.plugins = plugins }

    /// Reads a folder.
    package init(folder: String) throws(SessionError) {
        func complaint(_ reason: String) -> SessionError {
            SessionError(.input, "\(folder) holds no chains of plugins that can be read: \(reason)")
        }
        let value: JSONValue
        do throws(JSONFile.Refusal) {
            value = try JSONFile.value(at: folder + "/" + Self.fileName, within: .session)
        } catch {
            if case .unreadable = error { throw complaint("there is no \(Self.fileName) in it, or it cannot be read") }
            throw complaint("\(Self.fileName) is invalid: \(error.reason)")
        }
        guard case .object(var object) = value,
            let version = object.removeValue(forKey: "version")?.number,
            case .list(let list)? = object.removeValue(forKey: "plugins")
        else { throw complaint("\(Self.fileName) is invalid") }
        guard version == Self.version else {
            throw SessionError(
                .input,
                "\(folder) was written by a newer version (\(JSONValue.number(version).line)); this one reads \(Self.version)"
            )
        }
        plugins = []
        others = object
        guard list.count <= Self.mostPlugins else {
            throw complaint("\(Self.fileName) names \(list.count) plugins, more than \(Self.mostPlugins)")
        }
        for json in list {
            guard let plugin = Plugin(json) else {
                throw complaint("a plugin in \(Self.fileName) is invalid")
            }
            plugins.append(plugin)
        }
    }

    /// Inserts a plugin into its chain behind the plugin called `name`: at the beginning of the chain if `name` is nil,
    /// at the end if the chain has no plugin of that name.
    mutating func insert(_ plugin: Plugin, after name: String?) {
        let place = PluginPlace.plain(plugin.request.place)
        let chain = plugins.indices.filter { PluginPlace.plain(plugins[$0].request.place) == place }
        guard let first = chain.first, let last = chain.last else { return plugins.append(plugin) }
        guard let name else { return plugins.insert(plugin, at: first) }
        plugins.insert(plugin, at: 1 + (chain.last { plugins[$0].request.name == name } ?? last))
    }

    /// Writes the file into a folder.
    package func write(to folder: String) throws {
        var object = others
        object["version"] = .number(Self.version)
        object["plugins"] = .list(plugins.map(\.json))
        try Data((JSONValue.object(object).page + "\n").utf8).write(
            to: URL(fileURLWithPath: folder + "/" + Self.fileName))
    }
}

extension SavedChains {
    /// Fixed names of files in a state's folder. `state.ttl` names the remaining ones.
    private static let stateFiles: Set = ["state.ttl", "manifest.ttl", "controls.json"]

    /// Returns whether a folder contains chains as saved by an earlier version, which wrote no list of the folder's
    /// entries. Each entry must be `chains.json`, a state folder named in it, or a file in such a folder that the state
    /// names.
    package static func isFormer(_ folder: String, _ entries: [String]) -> Bool {
        guard let saved = try? SavedChains(folder: folder) else { return false }
        let states = Set(saved.plugins.flatMap(\.states))
        var texts: [String: String] = [:]
        return entries.allSatisfy { entry in
            if entry == fileName || states.contains(entry) { return true }
            let steps = entry.split(separator: "/").map(String.init)
            guard steps.count > 1, states.contains(steps[0]), let name = steps.last else { return false }
            if steps.count == 2, stateFiles.contains(name) { return true }
            let text =
                texts[steps[0]]
                ?? FileManager.default.contents(atPath: "\(folder)/\(steps[0])/state.ttl").map {
                    String(decoding: $0, as: UTF8.self)
                } ?? ""
            texts[steps[0]] = text
            return text.contains(name)
        }
    }
}

extension SavedChains.Plugin {
    private static let keys: Set = [
        "name", "place", "identifier", "isBypassed", "isIsolated", "states", "controls", "preset", "settings",
    ]

    /// Reads a plugin from the file; nil if it is invalid. The values of `controls` are ignored.
    package init?(_ json: JSONValue) {
        guard case .object(let object) = json, let name = json["name"]?.text, PluginRequest.isName(name),
            let place = json["place"]?.text, let identifier = json["identifier"]?.text
        else { return nil }
        var states: [String] = []
        if case .list(let list)? = json["states"] { states = list.compactMap(\.text) }
        guard states.allSatisfy({ !$0.contains("/") && !$0.hasPrefix(".") }) else { return nil }
        var request = PluginRequest(place: place, identifier: identifier)
        request.name = name
        request.isBypassed = json["isBypassed"] == .truth(true)
        request.isIsolated = json["isIsolated"] == .truth(true)
        (request.preset, request.controls) = (json["preset"]?.text, Self.settings(json["settings"]))
        request.others = object.filter { !Self.keys.contains($0.key) }
        self.init(request, states: states)
    }

    /// Reads a list of pairs of a symbol and a value. Pairs that are invalid are left out.
    private static func settings(_ json: JSONValue?) -> [PluginRequest.Control] {
        guard case .list(let pairs)? = json else { return [] }
        return pairs.compactMap { pair -> PluginRequest.Control? in
            guard case .list(let words) = pair, words.count == 2, let symbol = words[0].text, let value = words[1].text
            else { return nil }
            return PluginRequest.Control(symbol: symbol, value: value)
        }
    }

    /// Plugin as JSON. A test finds a property of the request that is missing here.
    package var json: JSONValue {
        var object = request.others
        object["name"] = .text(request.name ?? request.nameFromIdentifier)
        (object["place"], object["identifier"]) = (.text(request.place), .text(request.identifier))
        (object["isBypassed"], object["isIsolated"]) = (.truth(request.isBypassed), .truth(request.isIsolated))
        object["states"] = .list(states.map { .text($0) })
        if let preset = request.preset { object["preset"] = .text(preset) }
        if !request.controls.isEmpty {
            let pairs = request.controls.map { JSONValue.list([.text($0.symbol), .text($0.value)]) }
            object["settings"] = .list(pairs)
        }
        // Shortest decimal number, not all digits of the binary number.
        object["controls"] = .object(controls.mapValues { .number(Double($0.description) ?? Double($0)) })
        return .object(object)
    }
}
