import { expect, test } from "bun:test";
import type { Transition } from "#meter/calls/call.ts";
import { LockGuard } from "#lock/lock-guard.ts";
import { makeListFollower } from "#meter/session/follow-lists.ts";
import { arrivalOf } from "../../support/decisions.ts";
import { lockedTool } from "../../support/locks.ts";
import { callOf } from "../../support/made-calls.ts";

const listed = { name: "a" };
const result = { tools: [listed] };
const closing = { outcome: "ok", result, endedMs: 0 } as const;

const list = callOf({}, { method: "tools/list" });
const requested: Transition = { kind: "requested", call: list, arrival: arrivalOf(9) };
const answered: Transition = { kind: "answered", call: list, result };
const closed: Transition = { kind: "closed", call: list, closing };
const unreadable: Transition = { kind: "unreadable", arrival: arrivalOf(9) };

function guardAfter(...transitions: readonly Transition[]): LockGuard {
  const guard = new LockGuard({ tools: [lockedTool({ name: "a", sha256: "1" })] }, () => "1");
  const follow = makeListFollower({ lock: guard, trimmer: undefined });
  for (const transition of transitions) follow?.(transition, { monoMs: 0, wallMs: 0 });
  return guard;
}

test("a list is awaited from its request to its end, and compared with the lock", () => {
  expect(guardAfter(requested).isPageAwaited).toBe(true);
  const guard = guardAfter(requested, answered, closed);
  expect([guard.isPageAwaited, guard.judgeTool("a")]).toEqual([false, "same"]);
});

test("an answer that the client may reject leaves the list awaited, and a further one counts as well", () => {
  const doubted: Transition = { ...closed, mayBeRejected: true };
  const guard = guardAfter(requested, answered, doubted, { ...closed, kind: "repeated" });
  expect([guard.isPageAwaited, guard.judgeTool("a")]).toEqual([true, "changed"]);
});

test("a line that cannot be read may be the list that is awaited", () => {
  expect(guardAfter(requested, answered, closed, unreadable).judgeTool("a")).toBe("same");
  expect(guardAfter(requested, unreadable).judgeTool("a")).toBe("not seen");
});

test("other requests, and those of the server, are not lists", () => {
  for (const call of [
    callOf({}, { method: "tools/call" }),
    callOf({}, { method: "tools/list", from: "server" }),
  ]) {
    const guard = guardAfter({ ...requested, call }, { ...answered, call, result: undefined });
    expect([guard.isPageAwaited, guard.judgeTool("a")]).toEqual([false, "same"]);
  }
});
