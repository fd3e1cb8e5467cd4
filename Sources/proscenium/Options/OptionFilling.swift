import ArgumentParser
import Foundation

/// Fills values of files into the options of a parsed command.
///
/// The command is decoded a second time, by a decoder that takes each property from the parsed command, or, for an
/// option with a value of a file, reads that value by the option's own type. No value becomes a word of a command line.
/// Groups and the command are checked (`CheckedOptions`) when all their values are in place.
struct OptionFilling {
    /// Texts by the option's name, several for a repeatable option. The text of a flag is `true`.
    let values: [String: [String]]

    /// Returns a command, or a group of options, with the values.
    ///
    /// - Throws: `RefusedValue` for a text that the option's type refuses; the error of a check.
    func fill<Group: ParsableArguments>(_ group: Group) throws -> Group {
        var filled: Group
        if let table = group as? any TabledOptions, let own = table.filled(with: values) as? Group {
            filled = own
        } else if group is any CustomReflectable {
            // Its properties are not those of its mirror, and no file sets them.
            return group
        } else {
            filled = try Group(from: FillingDecoder(properties: Self.properties(of: group), filling: self))
        }
        try filled.validate()
        return filled
    }

    /// Returns the properties of a group by their names.
    private static func properties(of group: Any) -> [String: Any] {
        let named = Mirror(reflecting: group).children.compactMap { label, value in
            label.map { ($0.first == "_" ? String($0.dropFirst()) : $0, value) }
        }
        return Dictionary(named) { first, _ in first }
    }
}

/// A text that the type of an option refuses.
struct RefusedValue: Error {
    /// Name of the option, without its dashes.
    let option: String
    /// The text.
    let text: String
    /// End of the sentence: the reason, or the values that the option takes.
    let reason: String

    /// Sentence that names the text, the option and the reason.
    var message: String { "The value '\(text)' is invalid for '--\(option)'\(reason)" }

    /// Returns the sentence with which the parser lists the values of an option; empty without a list.
    fileprivate static func list(_ values: [String]) -> String {
        let quoted = values.map { "'\($0)'" }
        guard let last = quoted.last else { return "" }
        if quoted.count >= 6 {
            return ". Please provide one of the following:\n" + values.map { "  - \($0)" }.joined(separator: "\n")
        }
        let words =
            quoted.count <= 2
            ? quoted.joined(separator: " and ") : quoted.dropLast().joined(separator: ", ") + " or " + last
        return ". Please provide one of \(words)."
    }
}

// MARK: - Properties

/// A property of a command that takes values of files: an option, a flag or a group of these.
private protocol FillableProperty {
    /// Returns the property with its value of `filling`, if there is one. `property`: its name in the source.
    func filled(by filling: OptionFilling, named property: String) throws -> Self
}

extension Option: FillableProperty {
    fileprivate func filled(by filling: OptionFilling, named property: String) throws -> Self {
        let name = KnownOption.name(ofProperty: property)
        guard let texts = filling.values[name], let last = texts.last else { return self }
        var option = self
        if let holder = Value.self as? any HoldingValue.Type, let value = try holder.read(texts, of: name) as? Value {
            option.wrappedValue = value
        } else {
            option.wrappedValue = try OptionText(option: name, text: last).read(as: Value.self)
        }
        return option
    }
}

extension Flag: FillableProperty {
    fileprivate func filled(by filling: OptionFilling, named property: String) throws -> Self {
        guard filling.values[KnownOption.name(ofProperty: property)] != nil, let isOn = true as? Value else {
            return self
        }
        var flag = self
        flag.wrappedValue = isOn
        return flag
    }
}

extension OptionGroup: FillableProperty {
    fileprivate func filled(by filling: OptionFilling, named property: String) throws -> Self {
        var group = self
        group.wrappedValue = try filling.fill(wrappedValue)
        return group
    }
}

/// Value of an option that holds the value read from a text: nil or one, or one for each text.
private protocol HoldingValue {
    static func read(_ texts: [String], of option: String) throws -> Self
}

extension Optional: HoldingValue {
    fileprivate static func read(_ texts: [String], of option: String) throws -> Self {
        guard let last = texts.last else { return nil }
        return try OptionText(option: option, text: last).read(as: Wrapped.self)
    }
}

extension Array: HoldingValue {
    fileprivate static func read(_ texts: [String], of option: String) throws -> Self {
        try texts.map { try OptionText(option: option, text: $0).read(as: Element.self) }
    }
}

/// An option's text in a file.
private struct OptionText {
    let option: String
    let text: String

    /// Reads the text as the parser reads typed ones.
    func read<Value>(as type: Value.Type) throws -> Value {
        if let reasoned = type as? any ReasonedOption.Type {
            do {
                if let value = try reasoned.read(text) as? Value { return value }
            } catch {
                throw RefusedValue(option: option, text: text, reason: ": \(error)")
            }
        }
        guard let readable = type as? any ExpressibleByArgument.Type else {
            throw RefusedValue(option: option, text: text, reason: "")
        }
        if let value = readable.init(argument: text) as? Value { return value }
        throw RefusedValue(option: option, text: text, reason: RefusedValue.list(readable.allValueStrings))
    }
}

// MARK: - Decoder

/// Decodes a group of options from the properties of a parsed one.
private struct FillingDecoder: Decoder {
    let properties: [String: Any]
    let filling: OptionFilling
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(FillingContainer<Key>(properties: properties, filling: filling))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoProperty() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoProperty() }
}

/// The properties of a parsed group, each filled when it is decoded.
private struct FillingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let properties: [String: Any]
    let filling: OptionFilling
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { properties.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { properties[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        guard let property = properties[key.stringValue] else { throw NoProperty() }
        if let fillable = property as? any FillableProperty {
            guard let value = try fillable.filled(by: filling, named: key.stringValue) as? T else { throw NoProperty() }
            return value
        }
        guard let value = property as? T else { throw NoProperty() }
        return value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw NoProperty() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NoProperty() }
    func superDecoder() throws -> any Decoder { throw NoProperty() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NoProperty() }
}

/// Error of a decoding that is not by properties; options have no other.
private struct NoProperty: Error {}
