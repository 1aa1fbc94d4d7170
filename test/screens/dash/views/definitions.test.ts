import { expect, test } from "bun:test";
import { buildDefinitionsView } from "#screens/dash/views/definitions.ts";
import {
  callRecord,
  definitionsRecord,
  sessionRecord,
  toolDefinition,
} from "../../../support/made-records.ts";
import { lockedTool, lockWith } from "../../../support/locks.ts";
import { dashModel, viewChoice, viewSetting } from "../../../support/dash-model.ts";

const ts = "2026-11-13T10:00:00.000Z";
const list = (server: string, tools: readonly (readonly [string, number])[], seq: number) => {
  const total = tools.reduce((sum, [, tokens]) => sum + tokens, 0);
  return definitionsRecord({
    server,
    seq,
    ts,
    tools: tools.map(([name, tokens]) => toolDefinition(name, tokens)),
    tools_total: tools.length,
    total_tokens: total,
    resident_tokens: total,
  });
};
const model = dashModel([
  sessionRecord({ seq: 0, ts }),
  list("small", [["one", 10]], 1),
  list(
    "large",
    [
      ["search", 40],
      ["__proto__", 60],
    ],
    2,
  ),
  callRecord({ server: "large", seq: 3, ts, tool: "search" }),
]);

const begin = (session_id: string, estimator: string, server: string) => [
  sessionRecord({ session_id, seq: 0, ts, estimator, server }),
  { ...list(server, [["one", server === "often" ? 70 : 100]], 1), session_id },
];

test("begins with the server with most definitions in contexts, counted by its estimators alone", () => {
  const used = dashModel([
    ...begin("a", "o200k", "often"),
    ...begin("b", "o200k", "often"),
    ...begin("c", "claude", "once"),
  ]);
  const counted = (server?: string) => {
    const { head } = buildDefinitionsView(used, viewChoice({ server }), viewSetting());
    return [
      head.server,
      head.row?.sessions,
      head.counted_by.map(({ estimation }) => estimation?.estimator),
    ];
  };
  expect(counted()).toEqual(["often", 2, ["o200k"]]);
  expect(counted("once")).toEqual(["once", 1, ["claude"]]);
});

test("unused tokens are those in context, as in a summary", () => {
  const tools = ["search", "fetch"].map((name) => ({
    ...toolDefinition(name, 100),
    resident_tokens: 8,
  }));
  const lists = {
    tools,
    tools_total: 2,
    total_tokens: 200,
    resident_tokens: 16,
    is_deferred: true,
  };
  const deferred = dashModel([
    sessionRecord({ seq: 0, ts }),
    definitionsRecord({ server: "garden", seq: 1, ts, ...lists }),
    callRecord({ server: "garden", seq: 2, ts, tool: "search" }),
  ]);
  const { head } = buildDefinitionsView(deferred, viewChoice(), viewSetting());
  expect(head.list).toMatchObject({ never_called_tokens: 8, never_called_listed_tokens: 100 });
});

test("of equal tokens in contexts, begins with the largest list, and knows which tools were never called", () => {
  const { head, tables } = buildDefinitionsView(model, viewChoice(), viewSetting());
  expect(head).toMatchObject({
    server: "large",
    list: { tools_total: 2, total_tokens: 100, never_called: 1, never_called_tokens: 60 },
  });
  expect(Object.values(tables.tools).map(({ name, calls }) => [name, calls])).toEqual([
    ["search", 1],
    ["__proto__", 0],
  ]);
});

test("a chosen server without a list has none", () => {
  const chosen = buildDefinitionsView(model, viewChoice({ server: "small" }), viewSetting());
  expect(chosen.head.list).toMatchObject({ tools_total: 1, never_called: 1 });
  const none = buildDefinitionsView(model, viewChoice({ server: "other" }), viewSetting());
  expect([none.head.server, none.head.list, none.tables.tools]).toEqual(["other", null, {}]);
  const empty = buildDefinitionsView(dashModel([]), viewChoice(), viewSetting());
  expect([empty.head.server, empty.head.list]).toEqual([null, null]);
});

test("a lock of the server is compared, one of no server in the period is named", () => {
  const tools = [lockedTool({ name: "search", sha256: "0".repeat(64) }), lockedTool({ name: "x" })];
  const lock = lockWith(tools, { estimator: "chars3" });
  const locks = [
    { file: "a.lock", server: "large", lock },
    { file: "b.lock", server: null, lock },
  ];
  const { head, tables } = buildDefinitionsView(model, viewChoice(), viewSetting({ locks }));
  expect(head.lock).toEqual({ file: "a.lock", differences: 2, change_tokens: 0 });
  expect(Object.values(tables.lock).map(({ name, change }) => [name, change])).toEqual([
    ["__proto__", "added"],
    ["x", "removed"],
  ]);
  expect(head.notes).toEqual([
    `Nothing is compared with the lock "b.lock": this period has no records of a server "s"; pass --lock SERVER=FILE, where SERVER is the server's name in the records`,
  ]);
});
