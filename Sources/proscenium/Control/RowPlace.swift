/// Index of a row in a table, as a type: the parser needs one type per command, but rows are values.
protocol RowPlace { static var value: Int { get } }
/// The first index, 0.
enum FirstRow: RowPlace { static let value = 0 }
/// The index after another.
enum RowAfter<Place: RowPlace>: RowPlace { static var value: Int { Place.value + 1 } }
