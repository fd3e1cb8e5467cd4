/// The filters of all sources in one state: a pointer per source to a version in `StageFilters`.
package typealias FilterList = UnsafePointer<UnsafePointer<Float>?>
