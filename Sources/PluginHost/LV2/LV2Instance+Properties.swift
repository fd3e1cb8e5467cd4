import CLilv
import CPlugins
import Signal
import Synchronization

extension LV2Instance {
    package func set(property: String, to value: PropertyValue) throws(PluginError) {
        let writable = plugin.properties.filter(\.isWritable)
        guard let known = writable.first(where: { $0.identifier == property }), let port = parts.wiring.patchInput
        else {
            throw .noProperty(
                identifier: plugin.identifier, property: property,
                known: parts.wiring.patchInput == nil ? [] : writable.map(\.identifier))
        }
        let uris = Vocabulary()
        guard let atom = LV2PropertyValue(value, range: range(of: property), uris) else {
            throw .badValue(
                identifier: plugin.identifier, symbol: property, value: "\(value)",
                takes: known.takes.isEmpty ? "another kind of value" : "a \(known.takes)")
        }
        let key = URIDMap.shared(property)
        let size = 8 + 24 + 16 + (atom.body.count + 7) & ~7
        let isSent = message(bytes: 8 + size, to: port) { writer in
            writer.object(size: size, kind: uris.patchSet, uris)
            writer.property(uris.patchProperty, key, type: uris.urid)
            writer.put(uris.patchValue)
            writer.put(UInt32(0))
            writer.head(size: atom.body.count, type: atom.type)
            atom.body.withUnsafeBytes { body in
                if let base = body.baseAddress { writer.put(bytes: base, count: body.count) }
            }
        }
        guard isSent else {
            throw .badValue(
                identifier: plugin.identifier, symbol: property, value: "\(atom.body.count) bytes",
                takes: "no more bytes than its event input or its queue has room for at present")
        }
        given[property] = value
        // The plugin may have changed the value, so it is requested.
        askForProperties()
    }

    package func properties() -> [String: PropertyValue] {
        listen()
        return told
    }

    package func send(midi: [UInt8]) throws(PluginError) {
        guard let port = parts.wiring.midiInput else { throw .noMIDI(identifier: plugin.identifier) }
        guard (1...3).contains(midi.count), midi[0] >= 0x80 else {
            throw .badValue(
                identifier: plugin.identifier, symbol: "MIDI", value: "\(midi)",
                takes: "1 to 3 bytes, the first of them 128…255")
        }
        let uris = Vocabulary()
        let isSent = message(bytes: 16, to: port) { writer in
            writer.head(size: midi.count, type: uris.midi)
            midi.withUnsafeBytes { body in
                if let base = body.baseAddress { writer.put(bytes: base, count: body.count) }
            }
        }
        if !isSent { shared.pointee.lost.add(1, ordering: .relaxed) }
    }

    /// Returns the MIDI messages that the plugin has sent since the last call, oldest first. At most 4096 are kept;
    /// later ones are dropped.
    package func takeMIDI() -> [[UInt8]] {
        listen()
        defer { heardMIDI = [] }
        return heardMIDI
    }

    /// Requests the values of all properties; the plugin answers in its next calls.
    func askForProperties() {
        guard let port = parts.wiring.patchInput, !plugin.properties.isEmpty else { return }
        let uris = Vocabulary()
        _ = message(bytes: 16, to: port) { writer in writer.object(size: 8, kind: uris.patchGet, uris) }
    }

    // MARK: Messages

    /// Queues an atom of at most `bytes` bytes, which `write` writes, for an event input. Returns false if the atom
    /// does not fit into the port's memory or into the queue.
    private func message(bytes: Int, to port: Int, _ write: (inout AtomWriter) -> Void) -> Bool {
        guard bytes <= parts.wiring.eventInputs[port].longest else { return false }
        return withUnsafeTemporaryAllocation(byteCount: bytes, alignment: 8) { memory in
            guard let base = memory.baseAddress else { return false }
            var writer = AtomWriter(base, capacity: bytes)
            write(&writer)
            return writer.isWhole && incoming.push(tag: UInt32(port), base, count: writer.count)
        }
    }

    /// Reads the plugin's messages.
    private func listen() {
        let uris = Vocabulary()
        while let (tag, count) = outgoing.next() {
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
                outgoing.take(into: buffer.baseAddress.map { UnsafeMutableRawPointer($0) })
                used = count
            }
            if tag == LV2EventOutput.Tag.midi {
                if heardMIDI.count < 4096 { heardMIDI.append(bytes) }
            } else {
                hear(AtomReader(bytes: bytes), uris)
            }
        }
    }

    /// Reads one object: a patch:Set with one property, or a patch:Put with properties in its body.
    private func hear(_ object: AtomReader, _ uris: Vocabulary) {
        let values = object.values()
        if object.kind(uris) == uris.patchSet {
            let key = values.first { $0.key == uris.patchProperty }.flatMap { object.urid(at: $0.place, uris) }
            guard let key, let name = URIDMap.shared.uri(of: key),
                let value = values.first(where: { $0.key == uris.patchValue })
            else { return }
            tell(name, object.property(at: value.place, uris))
        } else if let body = values.first(where: { $0.key == uris.patchBody }) {
            for (key, place) in object.values(at: body.place) {
                if let name = URIDMap.shared.uri(of: key) { tell(name, object.property(at: place, uris)) }
            }
        }
    }

    private func tell(_ name: String, _ value: PropertyValue?) {
        if let value { told[name] = value }
    }

    /// Returns the URI of a property's type; empty if it is not stated.
    private func range(of property: String) -> String {
        parts.world.use { reader in
            reader.withNode(property) { reader.objects($0, URIs.rdfs + "range").first } ?? ""
        }
    }
}
