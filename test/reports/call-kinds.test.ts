import { expect, test } from "bun:test";
import { CallKinds, isOfKind } from "#reports/call-kinds.ts";
import { callRecord } from "../support/made-records.ts";

test("a kind is one value, and calls of one server and tool are one group", () => {
  const kinds = new CallKinds();
  const call = callRecord({ session_id: "a" });
  const kind = kinds.kindOf(call);
  expect(kind).toEqual({
    server: "garden",
    method: "tools/call",
    tool: "search",
    model: undefined,
    number: 0,
    group: 0,
  });
  expect(kinds.kindOf(callRecord({ session_id: "b" }))).toBe(kind);
  expect(kinds.kindOf({ ...call, model: "opus" })).toMatchObject({ number: 1, group: 0 });
  expect(kinds.kindOf({ ...call, method: "prompts/get" })).toMatchObject({ number: 2, group: 0 });
  expect(kinds.kindOf({ ...call, tool: null })).toMatchObject({ number: 3, group: 1 });
  expect(kinds.kindOf({ ...call, server: 'garden","search' })).toMatchObject({
    number: 4,
    group: 2,
  });
});

test("a call is of a kind with its server, method and model", () => {
  const call = callRecord();
  const kind = new CallKinds().kindOf(call);
  expect(isOfKind(kind, call)).toBe(true);
  const others = [{ server: "shed" }, { method: "prompts/get" }, { model: "opus" }];
  expect(others.map((other) => isOfKind(kind, { ...call, ...other }))).toEqual([
    false,
    false,
    false,
  ]);
});
