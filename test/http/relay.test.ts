import { describe, expect, test } from "bun:test";
import { relayAnswer } from "#http/relay.ts";
import { bytesOf, textOf } from "../support/bytes.ts";
import { sourceOf } from "../support/chunked.ts";
import { bodyStream } from "../support/client-answer.ts";
import { eventually } from "../support/wait.ts";

/** A body that gives these chunks, and then fails or ends; it counts what was asked of it. */
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
  const answer = { status: 200, statusText: "OK", headers, body: sourceOf(body) };
  const given = await relayAnswer(answer, {
    forwarded: async (chunk) => void log.push(textOf(chunk)),
    sent: (chunk) => void log.push(`sent ${textOf(chunk)}`),
    forwardedWhole: (bytes) => void log.push(`whole ${textOf(bytes)}`),
    ended: (isWhole) => void log.push(isWhole ? "whole" : "broken"),
    left: () => void log.push("left"),
  });
  return { reader: bodyStream(given).getReader(), log };
}

describe("relayAnswer", () => {
  test("hands on chunk by chunk, and then shows each", async () => {
    const { reader, log } = await relayed(["a", "b"]);
    expect(textOf((await reader.read()).value)).toBe("a");
    expect(textOf((await reader.read()).value)).toBe("b");
    expect((await reader.read()).done).toBe(true);
    await eventually("the end", () => log.includes("whole"));
    expect(log.filter((entry) => entry !== "read")).toEqual([
      "a",
      "sent a",
      "b",
      "sent b",
      "whole",
    ]);
  });

  test("reads no further than its reader", async () => {
    const { reader, log } = await relayed(["a", "b", "c", "d"]);
    await reader.read();
    await Bun.sleep(5);
    expect(log.filter((entry) => entry === "read")).toHaveLength(1);
  });

  test("a body that breaks off breaks off", async () => {
    const { reader, log } = await relayed(["a"], true);
    await reader.read();
    expect(await reader.read().catch((error: Error) => error.message)).toBe("broke");
    await eventually("the end", () => log.includes("broken"));
  });

  test("a body behind a status that has none is given up", async () => {
    const log: string[] = [];
    const cancel = () => void log.push("cancelled");
    const body = sourceOf(new ReadableStream({ cancel }));
    const answer = { status: 205, statusText: "Reset", headers: new Headers(), body };
    const given = await relayAnswer(answer, {
      forwarded: () => undefined,
      sent: () => undefined,
      forwardedWhole: () => undefined,
      ended: (isWhole) => void log.push(isWhole ? "whole" : "broken"),
      left: () => undefined,
    });
    expect(given.body).toBeUndefined();
    expect(log.toSorted()).toEqual(["cancelled", "whole"]);
  });

  test("a reader that leaves cancels the body", async () => {
    const { reader, log } = await relayed(["a", "b"]);
    await reader.read();
    await reader.cancel();
    await eventually("the end", () => log.includes("cancelled"));
    expect(log).toContain("left");
  });
});
