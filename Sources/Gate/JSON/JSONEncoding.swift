extension JSONValue: Encodable {
    /// Encodes the value.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .truth(let truth): try value.encode(truth)
        case .number(let number): try value.encode(number)
        case .whole(let whole):
            if let signed = Int64(exactly: whole) {
                try value.encode(signed)
            } else {
                try value.encode(UInt64(clamping: whole))
            }
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let object): try value.encode(object)
        }
    }
}
