import { describe, expect, test } from "bun:test";
import { type Decide, makeReplacement, judgeLine, judgeRequest } from "#transport/http/verdict.ts";
import type { Line } from "#wire/line.ts";
import { batchItemsMax } from "#wire/parse-message.ts";
import { withhold, noEffects } from "#meter/session/decider.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";

const toLine = (text: string) => ({
  bytes: bytesOf(text),
  size: text.length,
  skim: undefined,
});

// Decides by the text: `refuse` gets a reply of ours, `drop` gets none, everything else passes.
const decide: Decide = ({ bytes }) => {
  const text = textOf(bytes);
  if (text.includes("refuse")) return withhold(bytesOf(`{"ours":${text.trim().length}}\n`));
  return text.includes("drop") ? withhold() : noEffects;
};

const message = (method: string) => `{"jsonrpc":"2.0","method":"${method}"}`;

async function replaceText(text: string): Promise<string | undefined> {
  const verdict = await judgeLine(toLine(text), decide);
  if (verdict.passes) return "passes";
  const replacement = makeReplacement(verdict);
  return replacement && textOf(replacement);
}

const strictly = async (text: string) => (await judgeLine(toLine(text), decide, true)).passes;
const odd = (characters: number) => `{"${"o".repeat(characters)}":1,${message("x").slice(1)}`;

describe("judgeLine, strictly", () => {
  test.each([
    ["a message", message("x"), true],
    ["a result", '{"jsonrpc":"2.0","id":1,"result":{}}', true],
    ["a batch", `[${message("x")},{"jsonrpc":"2.0","id":1,"result":{}}]`, true],
    ["a result that is not strict JSON", '{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}', true],
    ["a message with an odd member", odd(1), false],
    ["one with a longer one", odd(9), false],
    ["a batch with one of them", `[${message("x")},${odd(9)}]`, false],
    ["a text", "x", false],
    ["nothing", "", false],
    ["JSON that is no message", '{"x":1}', false],
    ["a batch in which one is no message", `[${message("x")},{"x":1}]`, false],
  ])("%s passes: %j, %p", async (_name, text, passes) => {
    expect(await strictly(text)).toBe(passes);
  });
});

describe("judgeLine", () => {
  test("one message: passes, has ours in its place, or nothing", async () => {
    expect(await replaceText(message("x"))).toBe("passes");
    expect(await replaceText(message("refuse"))).toBe('{"ours":35}\n');
    expect(await replaceText(message("drop"))).toBeUndefined();
    expect(await replaceText("not JSON")).toBe("passes");
  });

  test("a batch passes as it is, or without the messages that do not pass, ours behind it", async () => {
    const [x, y] = [` ${message("x")}`, `${message("y")} `];
    expect(await replaceText(`[${x},${y}]`)).toBe("passes");
    expect(await replaceText(`[${x},${message("refuse")},${y}]`)).toBe(`[${x},${y},{"ours":35}]\n`);
    expect(await replaceText(`[${x},${message("drop")}]`)).toBe(`[${x}]\n`);
    expect(await replaceText(`[${message("refuse")}]`)).toBe('[{"ours":35}]\n');
    expect(await replaceText(`[${message("drop")},${message("drop")}]`)).toBeUndefined();
  });

  test("keeps the rest of a batch apart from ours, for a request", async () => {
    const verdict = await judgeLine(toLine(`[${message("x")},${message("refuse")}]`), decide);
    if (verdict.passes) throw new Error("passed");
    expect(textOf(verdict.remaining)).toBe(`[${message("x")}]\n`);
    expect(verdict.replies.map(textOf)).toEqual(['{"ours":35}\n']);
  });

  test("of a batch longer than batches may be, no message passes", async () => {
    const texts = Array.from({ length: batchItemsMax + 1 }, () => message("x"));
    expect(await replaceText(`[${texts.join(",")}]`)).toBeUndefined();
    expect(await replaceText(`[${texts.slice(1).join(",")}]`)).toBe("passes");
  });

  test("a client's batch longer than batches may be is decided, and answered, as a whole", async () => {
    const texts = Array.from({ length: batchItemsMax + 1 }, () => message("refuse"));
    const line = toLine(`[${texts.join(",")}]`);
    const decided: Line[] = [];
    const verdict = await judgeRequest(line, (part) => {
      decided.push(part);
      return withhold(bytesOf("ours"));
    });
    expect(decided).toEqual([line]);
    expect(verdict.passes ? undefined : textOf(makeReplacement(verdict))).toBe("ours");
  });

  test("waits for messages that are kept", async () => {
    const verdict = await judgeLine(toLine(message("x")), () => Promise.resolve(withhold()));
    expect(verdict.passes).toBe(false);
  });
});
