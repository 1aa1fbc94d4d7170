import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { findUnsafeText } from "../support/hostile.ts";
import { initialize, request } from "../support/rpc.ts";
import { fixture, metered, type Session, testMaxMs } from "../support/session.ts";

setDefaultTimeout(testMaxMs);

const names: readonly string[] = [
  "\u001b[2J\u001b]0;owned\u0007",
  "\u202egnp.exe\u2066",
  "two\nlines\r\n",
  "zero\u200bwidth\ufeff",
  "tags \u{e0001}\u{e0041}",
  "\ud800 lone \udfff",
  "nul\0del\u007fcsi\u009b31m",
  "\u2028separators\u2029",
  `${"x".repeat(59)}🌹`,
  "x".repeat(10_000),
];

const long = "word ".repeat(300);
const block = { type: "text", text: long };

function longAnswer(id: number): string {
  const contents = [{ uri: "file:///a", text: long }];
  const result = { content: [block], contents, messages: [{ role: "user", content: block }] };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

async function play(session: Session): Promise<void> {
  await session.ask(initialize());
  let id = 0;
  const ask = async (method: string, params: object): Promise<void> => {
    id += 1;
    await session.ask(request(id, method, { ...params, say: [longAnswer(id)] }));
  };
  for (const name of names) {
    await ask("tools/call", { name });
    await ask("tools/call", { name, arguments: { text: long } });
    await ask("prompts/get", { name });
    await ask("resources/read", { uri: name });
    await ask("tasks/result", { taskId: name });
  }
  await session.finish();
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

describe("row 78: hostile names", () => {
  for (const form of ["tool", "rpc"]) {
    test(`row 78: in refusals of the form ${form}, in records and on stderr → escaped and bounded`, async () => {
      const flags = ["--budget", "50", "--error-form", form];
      await using session = metered(fixture("puppet"), { flags });
      await play(session);
      const refusals = session.messages.filter((message) =>
        textsIn(message).some((text) => text.startsWith("mcp-meter: ")),
      );
      expect(refusals.length).toBeGreaterThanOrEqual(4 * names.length);
      const texts = refusals.flatMap(textsIn);
      expect(texts.flatMap(findUnsafeText)).toEqual([]);
      expect(texts.filter((text) => text.length >= 300)).toEqual([]);
      const shown = [...session.log().raw.toString().split("\n"), ...session.stderr.lines];
      expect(shown.flatMap(findUnsafeText)).toEqual([]);
    });
  }
});
