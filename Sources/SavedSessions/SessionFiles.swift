import Foundation
import Gate
import HRTF
import Loading
import Racks
import Rooms
import Stages
import Synchronization

/// Finds the files of a saved session, which may have been saved on another machine.
package enum SessionFiles {
    /// Options that may name files.
    package static let options = Set(
        Parameter.all.filter { $0.text != nil }.map(\.option) + ["poses", "motion", "surface"])

    /// Options of a session after the search for their files.
    package struct Found: Sendable {
        /// The options with the paths found; those with missing files are removed.
        package var options: [String: JSONValue]
        /// Remarks on the search, a sentence each.
        package var remarks: [String] = []
        /// Replacements of files that were not found under their saved names, by the keys of `SessionDocument.used`.
        package var places: [String: Place] = [:]
    }

    /// Replacement of a file that is not found under its name.
    package struct Place: Sendable, Equatable {
        /// Path of the replacement; nil without one.
        package var path: String?
        /// Whether it has the saved content.
        package var isAsSaved: Bool
    }

    /// Finds the files of a session's options. A file with the saved content is preferred, at its named path, at its
    /// link in the folder, or at its former path; otherwise any file at these places is used. An option whose file is
    /// missing is removed, with a remark.
    package static func find(_ saved: SessionDocument, in folder: String) -> Found {
        let recipe = saved.recipe
        var found = Found(options: recipe)
        for option in options.sorted() {
            guard let word = recipe[option]?.text else { continue }
            guard let place = look(for: word, of: option, saved, key: option, in: folder, &found.remarks) else {
                continue
            }
            found.places[option] = place
            found.options[option] = place.path.map { .text($0) }
        }
        findInputs(saved, in: folder, &found)
        return found
    }

    /// Finds the layout files of inputs and effects. The sends from missing inputs are removed from effects.
    private static func findInputs(_ saved: SessionDocument, in folder: String, _ found: inout Found) {
        var gone: Set<String> = []
        for option in ["input", "effect"] {
            guard case .list(let all)? = saved.options[option] else { continue }
            var kept: [JSONValue] = []
            for written in all {
                guard let text = written.text, let input = NamedLayout(text) else {
                    kept.append(written)
                    continue
                }
                let key = "\(option):\(input.name)"
                let place = look(for: input.layout, of: "layout", saved, key: key, in: folder, &found.remarks)
                found.places[key] = place
                guard place == nil || place?.path != nil else {
                    gone.insert(input.name)
                    continue
                }
                let rest =
                    option == "effect"
                    ? input.rest.filter { !gone.contains($0.prefix { $0 != "=" }.description) }
                    : input.rest
                // An effect without any send left is removed.
                if option == "effect", rest.count < input.rest.count, !rest.contains(where: Self.isSend) {
                    found.remarks.append("--effect \(input.name) is fed by nothing here; the session plays without it")
                    continue
                }
                kept.append(.text(input.written(layout: place?.path ?? input.layout, rest)))
            }
            found.options[option] = kept.isEmpty ? nil : .list(kept)
        }
    }

    /// Returns whether a part of an effect's words is a send from an input.
    private static func isSend(_ part: String) -> Bool {
        let key = String(part.prefix { $0 != "=" })
        return Parameter.named(key) == nil && !["role", "content"].contains(key)
    }

    /// Finds the files of an unheard scene; a missing one is replaced by the parameter's default.
    package static func find(
        scene: String, of saved: SessionDocument, in folder: String
    ) -> (values: [String: ParameterValue], remarks: [String], places: [String: Place]) {
        var (values, remarks, places) = (saved.scenes[scene] ?? [:], [String](), [String: Place]())
        for (id, value) in values.sorted(by: { $0.key < $1.key }) {
            let (option, key) = (Parameter.option(of: id), "\(scene)/\(id)")
            guard options.contains(option) else { continue }
            let word = value.written.joined(separator: ",")
            guard let place = look(for: word, of: option, saved, key: key, in: folder, &remarks) else { continue }
            places[key] = place
            values[id] = .word(place.path ?? Parameter.named(id)?.standard ?? word)
        }
        return (values, remarks, places)
    }

    /// Returns the names in a session, by the keys of `SessionDocument.used`: the option that interprets each, and the
    /// word.
    package static func named(by saved: SessionDocument) -> [String: (option: String, word: String)] {
        var names: [String: (option: String, word: String)] = [:]
        let recipe = saved.recipe
        for option in options {
            if let word = recipe[option]?.text { names[option] = (option, word) }
        }
        for option in ["input", "effect"] {
            guard case .list(let all)? = saved.options[option] else { continue }
            for input in all.compactMap({ $0.text.flatMap(NamedLayout.init) }) {
                names["\(option):\(input.name)"] = ("layout", input.layout)
            }
        }
        for (scene, values) in saved.scenes {
            for (id, value) in values where options.contains(Parameter.option(of: id)) {
                names["\(scene)/\(id)"] = (Parameter.option(of: id), value.written.joined(separator: ","))
            }
        }
        return names
    }

    /// Finds the file of an option, and the files that this file names. Returns nil if the file is found under its
    /// name, or no file is named.
    private static func look(
        for word: String, of option: String, _ saved: SessionDocument, key: String, in folder: String,
        _ remarks: inout [String]
    ) -> Place? {
        let place = lookAlone(for: word, of: option, saved, key: key, in: folder, &remarks)
        guard let file = saved.used[key], file.named == word, !file.parts.isEmpty else { return place }
        var found = place?.path
        if place == nil, case .at(let path) = FileName(word, of: option, in: folder) { found = path }
        guard let found else { return place }
        let link = folder + "/" + SessionDocument.files + "/" + file.link
        // The file in the session's folder comes second: if any named files are complete, those kept with it are.
        for (path, place) in [(found, place), (link, Place(path: link, isAsSaved: hash(of: link) == file.hash))] {
            let parts = EqualiserResponses.named(in: path).filter { file.parts[$0] != nil }
            let hashes = parts.map { hash(of: EqualiserResponses.place(of: $0, in: path)) }
            guard !hashes.contains(nil), path == found || !parts.isEmpty else { continue }
            for (part, hash) in zip(parts, hashes) where hash != file.parts[part] {
                remarks.append("\(part), which \(path) names, is not the file that was saved: its content is another")
            }
            return place
        }
        remarks.append(
            "\(title(of: key)) \(word) names sound that is not on this machine (\(file.parts.keys.sorted().joined(separator: ", "))); "
                + "the session plays \(Self.instead(of: key))")
        return Place(path: nil, isAsSaved: false)
    }

    /// Finds the file, without regard to the files that it names.
    private static func lookAlone(
        for word: String, of option: String, _ saved: SessionDocument, key: String, in folder: String,
        _ remarks: inout [String]
    ) -> Place? {
        let target = FileName(word, of: option, in: folder)
        let title = title(of: key)
        guard let file = saved.used[key], file.named == word else {
            // A `session.json` written by hand, or by an early version, contains no path and hash.
            guard case .missing = target, !saved.isTemplate || word.contains("/") else { return nil }
            remarks.append("\(title) \(word) is not on this machine; the session plays \(Self.instead(of: key))")
            return Place(path: nil, isAsSaved: false)
        }
        if case .free = target { return nil }
        let here: String? = if case .at(let path) = target { path } else { nil }
        if let here, hash(of: here) == file.hash { return nil }
        let link = FileName.end(of: folder + "/" + SessionDocument.files + "/" + file.link)
        let others = [link, file.path].compactMap(\.self).filter { access($0, R_OK) == 0 }
        if let same = others.first(where: { hash(of: $0) == file.hash }) { return Place(path: same, isAsSaved: true) }
        guard let other = (others + [here].compactMap(\.self)).first else {
            remarks.append(
                "\(title) \(word) is not on this machine; the session plays \(Self.instead(of: key)). Put the file (SHA-256 "
                    + "\(file.hash.prefix(12))…) there, or into \(folder)/\(SessionDocument.files) as \(file.link)")
            return Place(path: nil, isAsSaved: false)
        }
        remarks.append("\(title) \(other) is not the file that was saved: its content is another")
        guard other == here else { return Place(path: other, isAsSaved: false) }
        // A file changed in place is used from now on.
        return here == file.path ? nil : Place(path: word, isAsSaved: false)
    }

    private static func title(of key: String) -> String {
        let parts = key.split(separator: "/")
        if parts.count == 2 { return "scene \(parts[0]): \(parts[1])" }
        return "--" + key.replacing(":", with: " ")
    }

    /// Returns the fallback for a missing file, for remarks.
    private static func instead(of key: String) -> String {
        switch Parameter.option(of: key.split(separator: "/").last.map(String.init) ?? key) {
        case "hrtf": "with the default set"
        case "room": "without a room"
        case "headphone-eq": "without an equalisation"
        case "layout": "in stereo"
        case "surface": "without its map"
        default: key.contains(":") ? "without that \(key.prefix { $0 != ":" })" : "without it"
        }
    }

    /// Returns the saved plugins of a scene's chains; empty without any. If `scene` is nil, it is the heard scene.
    package static func plugins(in folder: String, scene: String? = nil) throws(SessionError) -> [PluginRequest] {
        let path = try chains(in: folder, scene)
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try SavedChains.requests(in: path)
    }

    /// Returns whether the chains of the heard scene are saved in a folder, even without plugins.
    package static func hasChains(in folder: String) throws(SessionError) -> Bool {
        FileManager.default.fileExists(atPath: try chains(in: folder, nil))
    }

    /// Returns the folder of a scene's chains. If `scene` is nil, it is the heard scene.
    private static func chains(in folder: String, _ scene: String?) throws(SessionError) -> String {
        let heard = scene == nil ? try SessionDocument(folder: folder)?.scene : scene
        return folder + "/" + SessionDocument.plugins(of: heard ?? SceneFacts.names[0])
    }

    /// Merges typed plugins into saved chains. A typed plugin with the name and URI of a saved one takes over its
    /// state, except for the typed values. With the same name and another URI it replaces the saved plugin.
    package static func plugins(_ saved: [PluginRequest], typed: [PluginRequest]) -> [PluginRequest] {
        var (all, names) = (saved, Set<String>())
        for request in typed {
            // The default names are the same as in the chains.
            let base = request.nameFromIdentifier
            let name =
                request.name ?? ([base] + (2...999).map { "\(base)-\($0)" }).first { !names.contains($0) } ?? base
            names.insert(name)
            var said = request
            said.name = name
            guard let index = all.firstIndex(where: { ($0.name ?? $0.nameFromIdentifier) == name }) else {
                all.append(said)
                continue
            }
            let former = all[index]
            if former.identifier == said.identifier { said.takeUp(former) }
            if former.place == said.place {
                all[index] = said
            } else {
                all.remove(at: index)
                all.append(said)
            }
        }
        return all
    }
}

/// The words of an input or effect: `NAME=LAYOUT`, and the rest.
private struct NamedLayout {
    var name: String, layout: String, rest: [String]

    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let head = parts[0].split(separator: "=", maxSplits: 1).map(String.init)
        guard head.count == 2 else { return nil }
        (name, layout, rest) = (head[0], head[1], Array(parts.dropFirst()))
    }

    func written(layout: String, _ rest: [String]) -> String { (["\(name)=\(layout)"] + rest).joined(separator: ",") }
}
