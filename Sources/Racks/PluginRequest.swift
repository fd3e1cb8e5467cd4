import Gate
import Loading

/// Request for a plugin, in the syntax of the command line and OSC: `WHERE=URI[,key=value…]`.
package struct PluginRequest: Sendable, Equatable {
    /// Place of the chain; a name of `PluginPlace`.
    package var place: String
    /// Identifier of the plugin. For LV2 it is the plugin's URI.
    package var identifier: String
    /// Name in commands; nil derives it from the identifier.
    package var name: String?
    /// Initial preset, by URI or label.
    package var preset: String?
    /// Folder of a saved initial state.
    package var state: String?
    /// Owner of the state's folder, if the folder is temporary.
    package var keeper: TemporaryStates?
    /// Whether the plugin is initially bypassed.
    package var isBypassed = false
    /// Whether the plugin runs in a separate process.
    package var isIsolated = false
    /// Values of controls and properties as text, by symbol. The last value of each applies.
    package var controls: [Control] = []
    /// Saved keys that this version does not support.
    package var others: [String: JSONValue] = [:]
    /// Whether the request contains `bypass=no`, and whether it contains `isolate=no`.
    private var isSaidActive = false, isSaidShared = false

    /// Value of a control, as written.
    package struct Control: Sendable, Equatable {
        /// Symbol of the control, or identifier of a property.
        package var symbol: String
        /// Value as text.
        package var value: String

        /// Creates a control's value.
        package init(symbol: String, value: String) {
            self.symbol = symbol
            self.value = value
        }
    }

    /// Syntax, for help texts.
    package static let form =
        "WHERE=URI[,preset=NAME][,state=FOLDER][,name=NAME][,bypass=yes][,isolate=yes][,SYMBOL=VALUE…]"

    /// Creates a request without settings.
    package init(place: String, identifier: String) {
        self.place = place
        self.identifier = identifier
    }

    /// Reads a request from the command line.
    ///
    /// - Throws: a usage error that states the fault.
    package init(parsing text: String) throws(SessionError) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw SessionError(.usage, "'\(text)' does not say where a plugin goes; it is written \(Self.form)")
        }
        let parts = text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
        guard let identifier = parts.first, !identifier.isEmpty else {
            throw SessionError(.usage, "'\(text)' names no plugin; it is written \(Self.form)")
        }
        self.init(place: String(text[..<equals]), identifier: String(identifier))
        for part in parts.dropFirst() {
            guard let equals = part.lastIndex(of: "="), equals > part.startIndex else {
                throw SessionError(.usage, "'\(part)' in '\(text)' is no SYMBOL=VALUE; it is written \(Self.form)")
            }
            try take(String(part[..<equals]), String(part[part.index(after: equals)...]))
        }
    }

    /// Request in the syntax of the command line.
    package var written: String { "\(place)=\(writtenWithoutPlace)" }

    /// Request in the syntax of the command line, without the place.
    package var writtenWithoutPlace: String {
        var parts = [identifier]
        if let preset { parts.append("preset=\(preset)") }
        if let state { parts.append("state=\(state)") }
        if let name { parts.append("name=\(name)") }
        if isBypassed || isSaidActive { parts.append("bypass=\(isBypassed ? "yes" : "no")") }
        if isIsolated || isSaidShared { parts.append("isolate=\(isIsolated ? "yes" : "no")") }
        return (parts + controls.map { "\($0.symbol)=\($0.value)" }).joined(separator: ",")
    }

    private mutating func take(_ key: String, _ value: String) throws(SessionError) {
        switch key {
        case "preset": preset = value
        case "state": state = value
        case "bypass":
            isBypassed = try Self.truth(key, value)
            isSaidActive = !isBypassed
        case "isolate":
            isIsolated = try Self.truth(key, value)
            isSaidShared = !isIsolated
        case "name":
            guard Self.isName(value) else {
                throw SessionError(
                    .usage, "'\(value)' is no name of a plugin: letters, digits, '-' and '_', up to 32 of them")
            }
            name = value
        default:
            controls.removeAll { $0.symbol == key }
            controls.append(Control(symbol: key, value: value))
        }
    }

    /// Adds the saved settings of the same plugin. Settings of this request take precedence. A state in this request
    /// replaces the saved state, preset and controls; a preset in it replaces the saved preset and controls.
    package mutating func takeUp(_ saved: PluginRequest) {
        if state == nil {
            (state, keeper) = (saved.state, saved.keeper)
            // The saved values were set after the saved preset. They are not applied after another preset.
            if preset == nil {
                let own = controls
                preset = saved.preset
                controls = saved.controls.filter { kept in !own.contains { $0.symbol == kept.symbol } } + own
            }
        }
        isBypassed = isBypassed || saved.isBypassed && !isSaidActive
        isIsolated = isIsolated || saved.isIsolated && !isSaidShared
        others = saved.others
    }

    private static func truth(_ key: String, _ value: String) throws(SessionError) -> Bool {
        switch value {
        case "yes", "on", "1", "true": return true
        case "no", "off", "0", "false": return false
        default: throw SessionError(.usage, "\(key)=\(value) is not possible; it takes yes or no")
        }
    }

    /// Returns whether a word can be a plugin's name.
    package static func isName(_ word: String) -> Bool {
        (1...32).contains(word.utf8.count)
            && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }

    /// Name derived from the identifier's last words, for example "eg-amp" or "dpl-stereo".
    package var nameFromIdentifier: String {
        let parts = identifier.split(separator: "#", maxSplits: 1)
        let path = parts.first?.split { "/:".contains($0) }.last.map(String.init)
        let words = ([path] + parts.dropFirst().map(String.init)).compactMap(\.self).joined(separator: "-")
        let name = String(words.filter { Self.isName(String($0)) }.prefix(28))
        return name.isEmpty ? "plugin" : name
    }
}
