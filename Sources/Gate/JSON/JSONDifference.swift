extension JSONValue {
    /// Returns the members of an object that are absent from another object or have another value there. Objects
    /// within objects are compared in the same way. All other values are returned whole if they differ. The result is
    /// nil if both values are equal. Members that only the other object has are not in the result.
    package func difference(from other: JSONValue?) -> JSONValue? {
        guard self != other else { return nil }
        guard case .object(let members) = self, case .object(let others)? = other else { return self }
        var changed: [String: JSONValue] = [:]
        for (key, member) in members { changed[key] = member.difference(from: others[key]) }
        return .object(changed)
    }

    /// Returns an object with the members that it lacks taken from another object. Objects within objects are filled in
    /// the same way. All other values are returned unchanged. Inverse of `difference(from:)`.
    package func filled(from other: JSONValue?) -> JSONValue {
        guard case .object(let members) = self, case .object(let others)? = other else { return self }
        return .object(others.merging(members) { theirs, own in own.filled(from: theirs) })
    }
}
