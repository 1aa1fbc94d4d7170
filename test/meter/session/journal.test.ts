import { describe, expect, test } from "bun:test";
import { Journal } from "#meter/session/journal.ts";
import { meterOptions } from "../../support/play.ts";
import { callOf } from "../../support/made-calls.ts";

const at = (monoMs: number) => ({ monoMs, wallMs: monoMs });

const asked = (method: string) => callOf({}, { method });

function journal(): Journal {
  const one = new Journal(meterOptions(), undefined);
  one.begin(at(1));
  return one;
}

const types = (one: Journal) => {
  one.count(Infinity);
  return one.takeRecords().map(({ type }) => type);
};

const failed = (code: number) => ({ outcome: "rpc_error", error: { code }, endedMs: 2 }) as const;
const states = (one: Journal) => {
  one.count(Infinity);
  return one.takeRecords().flatMap((record) => {
    return record.type === "definitions" ? [[record.list_state, record.is_complete]] : [];
  });
};

describe("Journal", () => {
  test("a list is recorded when it changes, and not when it is sent again", () => {
    const one = journal();
    one.recordCall(asked("initialize"), { outcome: "ok", endedMs: 2 }, at(2));
    types(one);
    const sent = [["a"], ["a"], ["a", "b"], [], [], ["a"]].map((names) => {
      const tools = names.map((name) => ({ name }));
      one.noteAnswer(asked("tools/list"), { tools }, at(3));
      return types(one).length;
    });
    expect(sent).toEqual([1, 0, 1, 1, 0, 1]);
  });

  test("a list whose members came in another order is the same list", () => {
    const one = journal();
    one.recordCall(asked("initialize"), { outcome: "ok", endedMs: 2 }, at(2));
    types(one);
    one.noteAnswer(asked("tools/list"), { tools: [{ name: "a", description: "b" }] }, at(3));
    one.noteAnswer(asked("tools/list"), { tools: [{ description: "b", name: "a" }] }, at(4));
    expect(types(one)).toEqual(["definitions"]);
  });

  test("a list that failed is recorded once, one of a server without the method is empty", () => {
    const one = journal();
    one.recordCall(asked("tools/list"), failed(-32_603), at(2));
    one.recordCall(asked("tools/list"), failed(-32_603), at(3));
    expect(states(one)).toEqual([["failed", false]]);
    one.recordCall(asked("tools/list"), failed(-32_601), at(4));
    expect(states(one)).toEqual([["complete", true]]);
    one.recordCall(asked("tools/list"), failed(-32_603), at(5));
    expect(states(one)).toEqual([]);
  });

  test("a list that is not complete is recorded at the end", () => {
    const one = journal();
    one.noteAnswer(asked("tools/list"), { tools: [{ name: "a" }], nextCursor: "2" }, at(2));
    one.recordPending(false, at(3));
    one.end(({ calls }) => ({ type: "fault", where: "sums", what: `${calls}` }), at(4));
    expect(types(one)).toEqual(["session", "definitions", "fault"]);
  });
});
