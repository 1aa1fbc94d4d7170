import { expect, test } from "bun:test";
import { deriveUuid, keyedSha256, sha1, sha256 } from "#kit/os/hash.ts";
import { readHouse } from "../../house/tree.ts";

// Vectors of FIPS 180-2; the last is printf 'é' | sha256sum.
test.each([
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ["é", "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"],
])("sha256 of %j", (text, hash) => {
  expect(sha256(text)).toBe(hash);
});

test("sha1 is the name that Redis gives a script", () => {
  // redis-cli SCRIPT LOAD "return 1"
  expect(sha1("return 1")).toBe("e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
});

test("no other source file hashes", () => {
  const found = Object.entries(readHouse())
    .filter(
      ([path, text]) => path.startsWith("src/") && /SHA256|createHash|CryptoHasher/.test(text),
    )
    .map(([path]) => path);
  expect(found).toEqual(["src/kit/os/hash.ts"]);
});

test("keyedSha256 is the HMAC of RFC 4231", () => {
  expect(keyedSha256("Jefe", "what do ya want for nothing?")).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("the same name gives the same id, in every version of mcp-meter", () => {
  expect(deriveUuid("claude-code\n1111")).toBe(deriveUuid("claude-code\n1111"));
  expect(deriveUuid("claude-code\n1111")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab]/);
  expect(deriveUuid("claude-code\n1112")).not.toBe(deriveUuid("claude-code\n1111"));
});
