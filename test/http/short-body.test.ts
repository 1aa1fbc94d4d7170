import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { BodySource } from "#http1/body-source.ts";
import { type BegunBody, beginBody } from "#http/short-body.ts";
import { shortBodyBytesMax } from "#limits/http.ts";
import { drained, sourceOf } from "../support/chunked.ts";
import { anyCuts, bytesOf, chunksOf, textOf } from "../support/bytes.ts";
import { judgedByTime } from "../support/measure.ts";

/** A body of these chunks, which then ends, breaks off, or stays silent. */
function bodyOf(chunks: readonly Uint8Array[], end: "whole" | "broken" | "silent" = "whole") {
  let at = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = chunks[at];
      at += 1;
      if (next) controller.enqueue(next);
      else if (end === "whole") controller.close();
      else if (end === "broken") controller.error(new Error("broke"));
      else return Promise.withResolvers<void>().promise;
      return undefined;
    },
    cancel: () => void (isCancelled = true),
  });
  return { body: sourceOf(body), isCancelled: () => isCancelled };
}

function goingOn(begun: BegunBody): BodySource {
  return begun.kind === "whole" ? expect.unreachable() : begun.source;
}

describe("beginBody", () => {
  test("a body that came whole with its head is not awaited", async () => {
    const { body } = bodyOf([], "silent");
    const begun = await beginBody({ ...body, whole: bytesOf("all") });
    expect(begun).toEqual({ kind: "whole", bytes: bytesOf("all") });
  });

  // The limit is ten milliseconds, which a busy machine may take.
  test(
    "a short body is whole, in one chunk, in several, and without any",
    judgedByTime,
    async () => {
      for (const parts of [["{}"], ["{", '"a"', ":1}"], []]) {
        const begun = await beginBody(bodyOf(parts.map((part) => bytesOf(part))).body);
        expect(begun).toEqual({ kind: "whole", bytes: bytesOf(parts.join("")) });
      }
    },
  );

  test("the longest short body is whole, and one byte more is not", judgedByTime, async () => {
    const longest = new Uint8Array(shortBodyBytesMax);
    expect((await beginBody(bodyOf([longest]).body)).kind).toBe("whole");
    const begun = await beginBody(bodyOf([longest, bytesOf("x")]).body);
    expect(begun.kind).toBe("going");
    expect((await drained(goingOn(begun)))[0]).toHaveLength(shortBodyBytesMax + 1);
  });

  test("a body that is silent goes on with its first chunks, and can be cancelled", async () => {
    const { body, isCancelled } = bodyOf([bytesOf("a"), bytesOf("b")], "silent");
    const begun = await beginBody(body);
    expect(begun.kind).toBe("going");
    const source = goingOn(begun);
    expect(textOf((await source.read()).value)).toBe("a");
    expect(textOf((await source.read()).value)).toBe("b");
    await source.cancel();
    expect(isCancelled()).toBe(true);
  });

  test("a body that breaks off gives what came, and breaks off", judgedByTime, async () => {
    const begun = await beginBody(bodyOf([bytesOf("a"), bytesOf("b")], "broken").body);
    expect(begun.kind).toBe("broken");
    expect(await drained(goingOn(begun))).toEqual([Buffer.from("ab"), false]);
  });

  test("chance: the same bytes, however long and however cut", async () => {
    const sizes = fc.oneof(fc.nat(200), fc.integer({ min: shortBodyBytesMax - 2, max: 80_000 }));
    await fc.assert(
      fc.asyncProperty(sizes, anyCuts, async (size, cuts) => {
        const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
        const chunks = chunksOf(bytes, cuts).filter((chunk) => chunk.length > 0);
        const begun = await beginBody(bodyOf(chunks).body);
        const given = begun.kind === "whole" ? begun.bytes : (await drained(begun.source))[0];
        expect(Buffer.compare(given, bytes)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
