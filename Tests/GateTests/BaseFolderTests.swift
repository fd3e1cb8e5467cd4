import Gate
import Testing

@Suite struct BaseFolderTests {
    @Test(arguments: BaseFolder.allCases) func onlyAnAbsolutePathNamesAFolder(_ folder: BaseFolder) {
        #expect(folder.named(in: [folder.rawValue: "/somewhere"]) == "/somewhere")
        for path in ["", "here", "./here", "../here", "~/here"] {
            #expect(folder.named(in: [folder.rawValue: path]) == nil, "\(path)")
        }
        #expect(folder.named(in: [:]) == nil)
    }

    @Test func relativeFoldersOfSharedDataAreLeftOut() {
        #expect(BaseFolder.sharedData(in: ["XDG_DATA_DIRS": "/a:b::/c"]) == ["/a", "/c"])
        for none in ["", "b", ":"] {
            #expect(BaseFolder.sharedData(in: ["XDG_DATA_DIRS": none]) == ["/usr/local/share", "/usr/share"])
        }
        #expect(BaseFolder.sharedData(in: [:]) == ["/usr/local/share", "/usr/share"])
    }
}
