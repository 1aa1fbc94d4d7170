import { describe, expect, test } from "bun:test";
import { nameCharactersMax } from "#kit/limits.ts";
import { LockGuard, type LockVerdict } from "#lock/lock-guard.ts";
import { canonicalizeJson } from "#wire/json.ts";
import { lockedTool } from "../support/locks.ts";
import { listEntriesMax } from "#tokens/cost/tool-list.ts";

// The text is its own hash: definitions are equal if their canonical JSON is.
const hash = (text: string): string => text;
const tool = (name: string, description = "as locked") => ({ name, description });
const page = (...tools: readonly object[]) => ({ tools });

function makeGuard(...names: readonly string[]): LockGuard {
  const tools = names.map((name) => lockedTool({ name, sha256: canonicalizeJson(tool(name)) }));
  return new LockGuard({ tools }, hash);
}

const deep = (levels: number): unknown => (levels === 0 ? 1 : { properties: deep(levels - 1) });

type Row = readonly [
  what: string,
  play: (guard: LockGuard) => void,
  verdicts: { readonly [tool: string]: LockVerdict },
];

const rows: readonly Row[] = [
  ["nothing was listed", () => undefined, { a: "same", b: "same", other: "not locked" }],
  [
    "the list is the lock's, with other keys first",
    (guard) => guard.addPage(undefined, page({ description: "as locked", name: "a" }, tool("b"))),
    { a: "same", b: "same", other: "not locked" },
  ],
  [
    "a definition changed and a tool was added",
    (guard) => guard.addPage(undefined, page(tool("a", "new"), tool("b"), tool("other"))),
    { a: "changed", b: "same", other: "not locked" },
  ],
  [
    "the next page was not requested",
    (guard) => guard.addPage(undefined, { tools: [tool("a")], nextCursor: "2" }),
    { a: "same", b: "not seen" },
  ],
  [
    "the next page was requested",
    (guard) => {
      guard.addPage(undefined, { tools: [tool("a")], nextCursor: "2" });
      guard.addPage("2", page(tool("b")));
    },
    { a: "same", b: "same" },
  ],
  [
    "a tool was listed twice, on two pages",
    (guard) => {
      guard.addPage(undefined, page(tool("a", "new")));
      guard.addPage("2", page(tool("a")));
    },
    { a: "changed" },
  ],
  [
    "a newer list, which the client may reject, is the lock's again",
    (guard) => {
      guard.addPage(undefined, page(tool("a", "new"), tool("b")));
      guard.addPage(undefined, page(tool("a"), tool("b")), { mayBeRejected: true });
    },
    { a: "changed", b: "same" },
  ],
  [
    "a newer list is the lock's again",
    (guard) => {
      guard.addPage(undefined, page(tool("a", "new")));
      guard.addPage(undefined, page(tool("a")));
    },
    { a: "same" },
  ],
  [
    "a further answer to the request says otherwise",
    (guard) => {
      guard.addPage(undefined, page(tool("a", "new")));
      guard.addPage(undefined, page(tool("a")), { isRepeated: true });
    },
    { a: "changed" },
  ],
  [
    "a list could not be read",
    (guard) => {
      guard.addPage(undefined, page(tool("a"), tool("b")));
      guard.addPage(undefined, undefined);
    },
    { a: "not seen", b: "not seen", other: "not locked" },
  ],
  [
    "the result is not a list",
    (guard) => guard.addPage(undefined, { tools: {} }),
    { a: "not seen" },
  ],
  [
    "a definition is deep",
    (guard) => guard.addPage(undefined, page({ ...tool("a"), inputSchema: deep(250) })),
    { a: "changed" },
  ],
];

describe("the verdict when", () => {
  for (const [what, play, verdicts] of rows) {
    test(what, () => {
      const guard = makeGuard("a", "b");
      play(guard);
      const actual = Object.keys(verdicts).map((name) => [name, guard.judgeTool(name)]);
      expect(Object.fromEntries(actual)).toEqual(verdicts);
    });
  }

  test(`a tool is the ${listEntriesMax + 1}th of its list: changed is refused, the same is not`, () => {
    const before = Array.from({ length: listEntriesMax }, (_, at) => tool(`t${at}`));
    for (const [description, verdict] of [
      ["as locked", "same"],
      ["new", "changed"],
    ] as const) {
      const guard = makeGuard("a");
      guard.addPage(undefined, page(...before, tool("a", description)));
      expect(guard.judgeTool("a")).toBe(verdict);
    }
  });

  test("a name could not be read, or was cut", () => {
    const long = "x".repeat(nameCharactersMax);
    expect([makeGuard(long).judgeTool(null), makeGuard(long).judgeTool(long)]).toEqual([
      "not seen",
      "not seen",
    ]);
    const short = long.slice(1);
    expect(makeGuard(short).judgeTool(short)).toBe("same");
  });
});

test("a tool locked twice stays changed although a page that may be rejected completes the lock's two", () => {
  const definitions = [tool("a"), tool("a", "second")];
  const tools = definitions.map((definition) =>
    lockedTool({ name: "a", sha256: canonicalizeJson(definition) }),
  );
  const guard = new LockGuard({ tools }, hash);
  guard.addPage(undefined, page(tool("a")));
  guard.addPage(undefined, page(tool("a", "second")), { mayBeRejected: true });
  expect(guard.judgeTool("a")).toBe("changed");
  guard.addPage(undefined, page(...definitions));
  expect(guard.judgeTool("a")).toBe("same");
});

test("a page is awaited from its request until that is over", () => {
  const guard = makeGuard();
  expect(guard.isPageAwaited).toBe(false);
  guard.noteRequest();
  guard.noteRequest();
  guard.noteAnswer();
  expect(guard.isPageAwaited).toBe(true);
  guard.noteAnswer();
  expect(guard.isPageAwaited).toBe(false);
});
