/// A parameter that is to have a value.
package struct ParameterChange: Sendable, Hashable {
    /// The parameter, by its row.
    package let parameter: Parameter
    /// The value; valid for the parameter.
    package let value: ParameterValue
    /// The input it is meant for, or the loudspeaker where it is a parameter of loudspeakers; nil: all, or the session.
    package let input: String?

    /// A change with a value that the parameter's row has read.
    package init(_ parameter: Parameter, _ value: ParameterValue, input: String? = nil) {
        self.parameter = parameter
        self.value = value
        self.input = input
    }

    /// A change in words: a parameter's name, present or former, and its value as written.
    ///
    /// - Throws: `ParameterError`: no such parameter, none of its values, or an input named for what belongs to the
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
}

extension [ParameterChange] {
    /// What is said last of a parameter; nil where nothing is.
    package subscript(_ parameter: String) -> ParameterValue? { last { $0.parameter.id == parameter }?.value }
}
