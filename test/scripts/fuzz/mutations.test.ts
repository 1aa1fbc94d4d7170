import { expect, test } from "bun:test";
import { draft, piecesOf } from "../../../scripts/fuzz/draft.ts";
import { mutate, mutationNames } from "../../../scripts/fuzz/mutations.ts";
import { Random } from "../../../scripts/fuzz/random.ts";
import { bytesOf } from "../../../scripts/fuzz/script.ts";

const answer = draft({ jsonrpc: "2.0", id: 7, result: { content: [] } });
const plain = bytesOf(piecesOf(answer)).toString("latin1");

for (const name of mutationNames) {
  test(`${name} changes an answer`, () => {
    // Some apply only at times.
    const written = Array.from({ length: 300 }, (_, seed) =>
      bytesOf(piecesOf(mutate(answer, "server", new Random(seed), [name]))).toString("latin1"),
    );
    expect(written.some((text) => text !== plain)).toBe(true);
    expect(written.every((text) => text.endsWith("\n"))).toBe(true);
  });
}

test("a mutation that does not apply changes nothing", () => {
  const request = draft({ jsonrpc: "2.0", id: 7, method: "ping" });
  const mutated = mutate(request, "client", new Random(1), ["id-as-text", "result-and-error"]);
  expect(mutated).toEqual(request);
});
