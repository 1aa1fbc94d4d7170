import { expect, test } from "bun:test";
import { toStream } from "#transport/http/relay.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";
import { eventually } from "../../support/wait.ts";

function body(chunks: readonly string[], failure?: Error) {
  const log: string[] = [];
  async function* made(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (const chunk of chunks) {
        log.push(`made ${chunk}`);
        yield bytesOf(chunk);
      }
      if (failure) throw failure;
    } finally {
      log.push("over");
    }
  }
  return { log, stream: toStream(made(), () => void log.push("left")) };
}

test("gives the chunks, and ends", async () => {
  const { log, stream } = body(["a", "b"]);
  expect(await new Response(stream).text()).toBe("ab");
  expect(log).toEqual(["made a", "made b", "over"]);
});

test("makes no chunk long before it is read", async () => {
  const { log, stream } = body(["a", "b", "c", "d"]);
  const reader = stream.getReader();
  expect(textOf((await reader.read()).value)).toBe("a");
  await Bun.sleep(1);
  expect(log).not.toContain("made d");
  await reader.cancel();
  await eventually("the end", () => log.includes("over"));
  expect(log).toContain("left");
});

test("fails as its chunks do", async () => {
  const { stream } = body(["a"], new RangeError("broke"));
  expect(await new Response(stream).text().catch(() => "failed")).toBe("failed");
});
