import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { relayAnswer, shortBodyBytesMax } from "#transport/http/relay.ts";
import { anyCuts, bytesOf, chunksOf, textOf } from "../../support/bytes.ts";
import { judgedByTime } from "../../support/measure.ts";
import { eventually } from "../../support/wait.ts";

async function relayed(chunks: readonly string[], fails = false) {
  const log: string[] = [];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = chunks[log.filter((entry) => entry === "read").length];
        if (next === undefined && fails) controller.error(new Error("broke"));
        else if (next === undefined) controller.close();
        else {
          log.push("read");
          controller.enqueue(bytesOf(next));
        }
      },
      cancel: () => void log.push("cancelled"),
    },
    { highWaterMark: 0 },
  );
  const headers = new Headers({ "content-type": "text/event-stream" });
  const answer = { status: 200, headers, body };
  const response = await relayAnswer(answer, {
    onChunk: async (chunk) => void log.push(textOf(chunk)),
    onEnd: (isWhole) => void log.push(isWhole ? "whole" : "broken"),
    onLeave: () => void log.push("left"),
  });
  const { body: relayedBody } = response;
  if (!relayedBody) throw new Error("no body");
  return { reader: relayedBody.getReader(), log };
}

describe("relayAnswer", () => {
  test("reads no further than its reader: at most one chunk waits", async () => {
    const { log } = await relayed(["a", "b", "c", "d"]);
    await Bun.sleep(5);
    expect(log.filter((entry) => entry === "read")).toHaveLength(1);
  });

  test("a body that breaks off breaks off", async () => {
    const { reader, log } = await relayed(["a"], true);
    await reader.read();
    expect(await reader.read().catch(() => "failed")).toBe("failed");
    await eventually("the end", () => log.includes("broken"));
  });

  test("a body behind a status that has none is given up", async () => {
    const log: string[] = [];
    const cancel = () => void log.push("cancelled");
    const body = new ReadableStream<Uint8Array>({ cancel });
    const answer = { status: 205, headers: new Headers(), body };
    const response = await relayAnswer(answer, {
      onChunk: () => undefined,
      onEnd: (isWhole) => void log.push(isWhole ? "whole" : "broken"),
      onLeave: () => undefined,
    });
    expect(response.body).toBeNull();
    expect(log.toSorted()).toEqual(["cancelled", "whole"]);
  });
});

async function answered(chunks: readonly Uint8Array[], end: "whole" | "broken" | "silent") {
  const log: string[] = [];
  let at = 0;
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
    cancel: () => void log.push("cancelled"),
  });
  const headers = new Headers({ "content-type": "application/json" });
  const answer = await relayAnswer(
    { status: 200, headers, body },
    {
      onChunk: (bytes) => void log.push(`${bytes.length}`),
      onEnd: (isWhole) => void log.push(isWhole ? "whole" : "broken"),
      onLeave: () => void log.push("left"),
    },
  );
  return { answer, log };
}

describe("a body that is no stream of events", () => {
  // The limit is ten milliseconds, which a busy machine may exceed.
  test("leaves in one write where it is short, in any number of chunks", judgedByTime, async () => {
    for (const texts of [["{}"], ["{", '"a"', ":1}"], []]) {
      const { answer, log } = await answered(texts.map(bytesOf), "whole");
      const text = texts.join("");
      // Everything was forwarded before anything was read.
      expect(log).toEqual([String(text.length), "whole"]);
      expect(await answer.text()).toBe(text);
    }
  });

  test("leaves in one write up to the limit, and not beyond", judgedByTime, async () => {
    const longest = new Uint8Array(shortBodyBytesMax);
    expect((await answered([longest], "whole")).log).toEqual([String(shortBodyBytesMax), "whole"]);
    const { answer, log } = await answered([longest, bytesOf("x")], "whole");
    expect(log).not.toContain("whole");
    expect(await answer.bytes()).toHaveLength(shortBodyBytesMax + 1);
    expect(log.at(-1)).toBe("whole");
  });

  test("that is silent passes as it comes, and can be cancelled", async () => {
    const { answer, log } = await answered([bytesOf("a"), bytesOf("b")], "silent");
    const reader = answer.body?.getReader() ?? expect.unreachable();
    expect(textOf((await reader.read()).value)).toBe("a");
    expect(textOf((await reader.read()).value)).toBe("b");
    await reader.cancel();
    expect(log.slice(-2)).toEqual(["left", "cancelled"]);
  });

  test("that breaks off gives what came, and breaks off", async () => {
    const { answer, log } = await answered([bytesOf("a"), bytesOf("b")], "broken");
    const reader = answer.body?.getReader() ?? expect.unreachable();
    const read = async () => textOf((await reader.read()).value);
    expect([await read(), await read()]).toEqual(["a", "b"]);
    expect(await read().catch(() => "failed")).toBe("failed");
    expect(log).toContain("broken");
    expect(log).not.toContain("whole");
  });

  test("chance: the same bytes, however long and however cut", async () => {
    const sizes = fc.oneof(fc.nat(200), fc.integer({ min: shortBodyBytesMax - 2, max: 80_000 }));
    await fc.assert(
      fc.asyncProperty(sizes, anyCuts, async (size, cuts) => {
        const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
        const chunks = chunksOf(bytes, cuts).filter((chunk) => chunk.length > 0);
        const { answer } = await answered(chunks, "whole");
        expect(Buffer.compare(await answer.bytes(), bytes)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
