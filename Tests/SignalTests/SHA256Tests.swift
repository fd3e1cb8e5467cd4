import Signal
import Testing

@Suite struct SHA256Tests {
    /// Vectors of the examples of FIPS 180-4, and a million letters.
    @Test func aFileIsKnownByItsContent() {
        func hash(_ text: String) -> String {
            var hash = SHA256()
            hash.add(text.utf8)
            return hash.finish()
        }
        #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            hash(String(repeating: "a", count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }
}
