import { expect, test } from "bun:test";
import { pageSentences } from "#dash/page/sentences.ts";

test("plurals and absent days", () => {
  expect(pageSentences.callsLeftOut(1)).toBe(
    "The oldest 1 call of this session is not in the table.",
  );
  expect(pageSentences.callsLeftOut(1_200)).toBe(
    "The oldest 1,200 calls of this session are not in the table.",
  );
  expect(pageSentences.period(null, null, "Europe/Berlin")).toBe("Days of Europe/Berlin");
  expect(pageSentences.before(null, null)).toBe("Compared with the period before.");
});

test("each sentence ends with a period or a colon, before a command", () => {
  const { connection: _, copied, ...rest } = pageSentences;
  const texts = [copied, ...Object.values(rest).filter((one) => typeof one === "string")];
  for (const text of texts) expect(text).toMatch(/^[A-Z].*[.:…]$/);
});
