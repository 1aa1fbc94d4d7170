import { expect, test } from "bun:test";
import { counted, grouped, inputNamed, inWords, meant } from "../../src/kit/error-words.ts";

test("inWords has words for system errors, and leaves any other reason as it is", () => {
  expect(inWords("ENOENT")).toBe("no such file or directory");
  expect(inWords("HPE_INVALID_CONSTANT")).toBe("the answer is not valid HTTP");
  expect(inWords("ERR_SSL_NO_SHARED_CIPHER")).toBe("TLS failed with ERR_SSL_NO_SHARED_CIPHER");
  expect(inWords("it has other content")).toBe("it has other content");
  expect(inWords("toString")).toBe("toString");
});

test("numbers have commas, and nouns their number", () => {
  expect(grouped(1_234_567)).toBe("1,234,567");
  expect([0, 1, 2_000].map((count) => counted(count, "call"))).toEqual([
    "0 calls",
    "1 call",
    "2,000 calls",
  ]);
});

test("meant suggests a name where there is one, and inputNamed names stdin", () => {
  expect([meant("search"), meant()]).toEqual([" (did you mean search?)", ""]);
  expect([inputNamed("a.txt"), inputNamed("-")]).toEqual(['"a.txt"', "Standard input"]);
});
