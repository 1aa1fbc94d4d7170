import { describe, expect, test } from "bun:test";
import { allSentences } from "../support/sentences.ts";
import { mcpClientSentences } from "#check/mcp-client/sentences.ts";
import { resetSentences } from "#commands/budgets/command.ts";
import { countSentences } from "#commands/count/command.ts";
import { wrapSentences } from "#commands/wrap/sentences.ts";
import { commandSentences } from "#commands/sentences.ts";
import { budgetSentences } from "#meter/budgets/budget.ts";
import { alertFailures, alertSentences } from "#state/alerting/sentences.ts";
import { describeRedisCause, redisSentences } from "#state/stores/sentences.ts";
import { commonSentences } from "#kit/sentences.ts";

const sentenceList = await allSentences();

describe("each sentence", () => {
  test("is found", () => expect(sentenceList.length).toBeGreaterThan(200));

  for (const [name, make] of sentenceList) {
    test(`${name} is one line without a period, in the case of its kind`, () => {
      const sentence: unknown = Reflect.apply(make, undefined, ["one", "two", "three", "four"]);
      expect(sentence).toBeString();
      expect(sentence).toMatch(
        /^(?:[A-Z"]|--|\S+:\S+:\S+: |(?:missing|unknown|unexpected) ).*[^.\s]$/,
      );
      expect(sentence).not.toMatch(/\n| {2}|undefined/);
    });
  }
});

describe("sentences", () => {
  const literals: readonly (readonly [sentence: string, wanted: string])[] = [
    [
      commandSentences.optionValue("window", "lots", "a whole number of at least 1"),
      '--window must be a whole number of at least 1, not "lots"',
    ],
    [commandSentences.argumentUnexpected("x"), 'unexpected argument "x"'],
    [resetSentences.countersReset(3, false, undefined), "Reset 3 budget counters"],
    [
      resetSentences.countersReset(1, true, "github"),
      'Would reset 1 budget counter of servers that match "github"',
    ],
    [commandSentences.overTotal("the input", 1, 0), "Over --max-total 0: the input has 1 token"],
    [
      budgetSentences.budgetUnmatched("serach=10", 2, "search"),
      'Budget "serach=10" matches none of the server\'s 2 tools; did you mean "search"?',
    ],
    [
      budgetSentences.budgetUnmatched("fetch=10", 1, undefined),
      'Budget "fetch=10" does not match the server\'s only tool',
    ],
    [
      commonSentences.fileUnreadable("calls.ndjson", "ENOENT"),
      'Cannot read "calls.ndjson": no such file or directory',
    ],
    [commonSentences.fileUnreadable("x", "EOTHER"), 'Cannot read "x": EOTHER'],
    [
      commonSentences.upstreamUnreachable("https://host", "DEPTH_ZERO_SELF_SIGNED_CERT"),
      "Cannot reach https://host: its certificate is not trusted; set NODE_EXTRA_CA_CERTS to the authority's certificate file (DEPTH_ZERO_SELF_SIGNED_CERT)",
    ],
    [
      commonSentences.upstreamUnreachable("https://host", "toString"),
      "Cannot reach https://host: toString",
    ],
    [
      mcpClientSentences.foreignEvents(1, "hi"),
      'The server sent 1 event that is not JSON-RPC ("hi"); clients may reject it',
    ],
    [
      commandSentences.lockedByPolicy(
        Array.from({ length: 10 }, (_, at) => `o${at}`),
        "/etc/c",
      ),
      'Ignoring your o0, o1, o2, o3, o4, o5, o6, o7 and 2 more: the system config "/etc/c" locks them',
    ],
    [
      wrapSentences.settingsClientUnknown("settings-of", "codx", "codex", "codex, zed"),
      '--settings-of must be one of codex, zed, not "codx"; did you mean codex?',
    ],
    [
      redisSentences.redisFailed("cache:6379", "OOM", "closed"),
      "Cannot use the budget counters in the Redis at cache:6379 (its memory is full); calls under these budgets are refused until the counters are reachable again",
    ],
    [
      redisSentences.redisFailed("cache:6379", "NOPERM", "closed"),
      "Cannot use the budget counters in the Redis at cache:6379 (the Redis user is not allowed to run a command that the counters need; mcp-meter doctor names the command); calls under these budgets are refused until the counters are reachable again",
    ],
    [
      alertSentences.alertCommandFailed(alertFailures.exit(127)),
      "The --on-alert command failed (exit code 127: a program in the command was not found); traffic continues, and alerts are in the records",
    ],
    [commonSentences.fileUnreadable("x", "toString"), 'Cannot read "x": toString'],
    [
      countSentences.notUtf8("-"),
      "Standard input is not valid UTF-8; invalid bytes are counted as U+FFFD",
    ],
  ];
  for (const [sentence, wanted] of literals) test(wanted, () => expect(sentence).toBe(wanted));
});

test("every code of our own about Redis has words, and a name of every object has none", () => {
  const ownCodes =
    "CLOSED_AT_START CLOSED_TLS TLS_TIMEOUT NO_PASSWORD NO_DATABASE NOPERM_KEYS eviction";
  for (const code of ownCodes.split(" ")) expect(describeRedisCause(code)).not.toBe(code);
  expect(describeRedisCause("constructor")).toBe("constructor");
});
