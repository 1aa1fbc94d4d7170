import { expect, test } from "bun:test";
import {
  createDefinitionRedactor,
  holdsSecret,
  judgeLockRedacted,
} from "#check/redact-known-values.ts";
import { judgeLock, type LockContext } from "#lock/lock-report.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { changedTool, lockedTool, lockWith } from "../support/locks.ts";
import { secretCharactersMin } from "#kit/text/mask-secrets.ts";

const secret = "pearl value";
const redact = createDefinitionRedactor(new Map([["KEY", secret]]));
const terms: LockContext = {
  lockFile: "a.lock",
  limits: { maxToolTokens: 1 },
  failOn: "risky",
  thresholds: riskThresholdsDefault,
};

function makeTool(name: string, description: string) {
  const tool = description.startsWith("old") ? lockedTool({ name }) : changedTool({ name });
  const inputSchema = { type: "object", properties: { [`${secret} key`]: { enum: [secret] } } };
  return { ...tool, definition: { name, description, inputSchema } };
}

const long = "x ".repeat(300);
const locked = lockWith([makeTool(`a ${secret}`, `old ${long}${secret} ${long}`)]);
const current = lockWith([makeTool(`a ${secret}`, `new ${long}${secret} ${long}`)], {
  server: { ...locked.server, name: secret, version: secret },
});

test("createDefinitionRedactor removes values of secretCharactersMin characters, and not shorter ones", () => {
  const [least, short] = ["x".repeat(secretCharactersMin), "y".repeat(secretCharactersMin - 1)];
  const both = createDefinitionRedactor(
    new Map([
      ["LEAST", least],
      ["SHORT", short],
    ]),
  );
  expect(both(`${least} ${short}`)).toBe(`\${LEAST} ${short}`);
});

test("judgeLockRedacted shows no secret, and judges as without it", () => {
  const base = { name: "main", lock: locked };
  const [plain, shown] = [
    judgeLock(locked, current, { ...terms, base }),
    judgeLockRedacted({ locked, current }, { ...terms, base }, redact),
  ];
  expect(JSON.stringify(plain)).toContain("pearl");
  for (const fragment of ["pearl", "value"]) expect(JSON.stringify(shown)).not.toContain(fragment);
  const verdict = ({ severity, failed, drifts, total_tokens: tokens }: typeof plain) => ({
    severity,
    failed,
    tokens,
    kinds: drifts.map(({ kind }) => kind),
  });
  expect(verdict(shown)).toEqual(verdict(plain));
  expect(shown.diffs).toHaveLength(plain.diffs.length);
});

test("judgeLockRedacted without a secret is judgeLock", () => {
  const none = createDefinitionRedactor(new Map([["KEY", "another value"]]));
  expect(judgeLockRedacted({ locked, current }, terms, none)).toEqual(
    judgeLock(locked, current, terms),
  );
  expect(holdsSecret(current, none)).toBe(false);
  expect(holdsSecret(current, redact)).toBe(true);
});
