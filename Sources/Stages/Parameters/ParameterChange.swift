/// A new value of a parameter.
package struct ParameterChange: Sendable, Hashable {
    /// The parameter's row.
    package let parameter: Parameter
    /// The value; valid for the parameter.
    package let value: ParameterValue
    /// Name of the input, or of the loudspeaker or group for a parameter of loudspeakers; nil: all of them, or the
    /// session.
    package let input: String?

    /// Creates a change with a value that the parameter's row has read.
    package init(_ parameter: Parameter, _ value: ParameterValue, input: String? = nil) {
        self.parameter = parameter
        self.value = value
        self.input = input
    }

    /// Reads a change: a parameter's name, present or former, and its value as text.
    ///
    /// - Throws: `ParameterError`: no such parameter, an invalid value, or an input named for a parameter of the
    ///   session.
    package init(_ name: String, _ written: [String], input: String? = nil) throws(ParameterError) {
        guard let parameter = Parameter.named(name) else {
            throw .unknown(name, known: Parameter.all.map(\.id))
        }
        guard input == nil || parameter.isOfInputs || parameter.isOfLoudspeakers else {
            throw .notOfInputs(parameter.id)
        }
        self.init(parameter, try parameter.value(of: written), input: input)
    }

    /// Whether the value is the parameter's default; false for a parameter without one.
    package var isDefault: Bool { parameter.standard.map { (try? parameter.value(of: [$0])) == value } ?? false }
}

extension [ParameterChange] {
    /// Returns the last value of a parameter in the list; nil without one.
    package subscript(_ parameter: String) -> ParameterValue? { last { $0.parameter.id == parameter }?.value }
}
