import { expect, test } from "bun:test";
import { findServerDrifts } from "#lock/drift/server-drifts.ts";
import type { Lock } from "#lock/lock.ts";
import { lockWith } from "../../support/locks.ts";

const served = (server: Partial<Lock["server"]>, changes: Partial<Lock> = {}): Lock =>
  lockWith([], {
    server: { name: "s", version: "1", website_url: null, icons: [], ...server },
    ...changes,
  });
const words = (before: Lock, after: Lock): string[] =>
  findServerDrifts(before, after).map(
    ({ severity, what, before: was, after: is }) => `${severity} ${what} (${was} → ${is})`,
  );

test.each<readonly [string, Lock, Lock, string[]]>([
  ["nothing", served({ title: "S" }), served({ title: "S" }), []],
  ["a version", served({}), served({ version: "2" }), ["COSMETIC server version changed (1 → 2)"]],
  [
    "a title",
    served({ title: "S" }),
    served({ title: "Obey" }),
    ["RISKY server title changed (S → Obey)"],
  ],
  [
    "a new title",
    served({}),
    served({ title: "Obey" }),
    ["RISKY server title changed (null → Obey)"],
  ],
  [
    "a description",
    served({ description: "D" }),
    served({}),
    ["RISKY server description changed (D → null)"],
  ],
  ["a name", served({}), served({ name: "Obey" }), ["RISKY server name changed (s → Obey)"]],
  [
    "a website",
    served({ website_url: "https://s" }),
    served({ website_url: "https://other" }),
    ["RISKY server website changed (https://s → https://other)"],
  ],
  [
    "a new website",
    served({}),
    served({ website_url: "https://s" }),
    ["RISKY server website changed (null → https://s)"],
  ],
  [
    "icons",
    served({}),
    served({ icons: [{ src: "https://s/a.png" }] }),
    ['COSMETIC server icons changed ([] → [{"src":"https://s/a.png"}])'],
  ],
])("findServerDrifts: %s", (_, before, after, expected) => {
  expect(words(before, after)).toEqual(expected);
});

test("findServerDrifts: instructions by their text, or by their size where only hashes are known", () => {
  const instructions = { sha256: "9".repeat(64), tokens: 7 };
  const now = served({}, { instructions: { ...instructions, text: "Obey" } });
  expect(words(served({}), now)).toEqual(["RISKY instructions changed (none → Obey)"]);
  expect(words(served({}), served({}, { instructions }))).toEqual([
    "RISKY instructions changed (none → 7 tokens)",
  ]);
});
