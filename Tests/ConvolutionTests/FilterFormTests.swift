import Testing

@testable import Convolution

@Suite struct FilterFormTests {
    @Test(arguments: [16, 32, 64, 128, 256])
    func lowPartsReachFromOneToTheNext(_ slice: Int) {
        for (wide, low) in [(180, 390), (190, 370), (150, 700), (400, 900)] {
            let extent = FilterForm.Extent(wide: wide, low: low, spread: 36, lead: 4, limit: 0.1)
            let form = FilterForm(slice: slice, extent)
            #expect(form.capacity >= wide && form.tapCount == low)
            var end = form.capacity
            for offset in form.lowOffsets {
                #expect(offset % slice == 0 && offset + extent.spread + FilterForm.shortestFade <= end)
                end = offset + form.capacity
            }
            #expect(end >= low, "\(slice), \(wide), \(low): \(form)")
            #expect(form.length <= FilterForm(slice: slice, tapCount: low).length)
            // The transform's bins −8·chunks…8·chunks − 1 must contain the frequency limit.
            let outermost = (Double(16 * form.lowChunks) - 1.5) / Double(form.length)
            #expect(form.lowOffsets.isEmpty || outermost >= extent.limit)
        }
    }

    @Test func responsesWithoutALowPartAreOnePart() {
        let form = FilterForm(slice: 64, tapCount: 300)
        #expect(form.lowOffsets.isEmpty && form.length == 384 && form.chunks == 12 && form.reach == 384)
    }
}
