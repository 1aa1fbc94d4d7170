import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { call, notification, textResult } from "../support/rpc.ts";
import { fixture, metered, testMaxMs } from "../support/session.ts";

setDefaultTimeout(testMaxMs);

const answer = JSON.stringify(textResult(2, "word ".repeat(200)));

async function secondAnswer(budget: string, early: string): Promise<string> {
  await using session = metered(fixture("puppet"), { flags: ["--budget", budget] });
  await session.send(call(1, "y", { say: [JSON.stringify(textResult(1, "done"))], part: early }));
  await session.line("done");
  await session.send(call(2, "x"));
  await session.send(notification("n", { say: [answer.slice(early.length)] }));
  const message = await session.answer(2);
  await session.finish();
  return JSON.stringify(message);
}

describe("an answer that began before its request", () => {
  for (const [name, early] of [
    ["lacks its second half", answer.slice(0, 500)],
    ["lacks only its newline", answer],
  ] as const) {
    test(`and ${name} does not replace the refusal of the request`, async () => {
      expect(await secondAnswer("1calls/session", early)).toContain("x was not run");
    });

    test(`and ${name} is withheld when it does not fit`, async () => {
      expect(await secondAnswer("x=100/call", early)).toContain("its answer was withheld");
    });
  }
});
