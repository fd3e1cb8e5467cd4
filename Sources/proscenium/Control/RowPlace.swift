/// The place of a row in a table, as a type: the parser knows commands by their types, and these are made of the rows.
protocol RowPlace { static var value: Int { get } }
/// 0.
enum FirstRow: RowPlace { static let value = 0 }
/// The place behind another.
enum RowAfter<Place: RowPlace>: RowPlace { static var value: Int { Place.value + 1 } }
