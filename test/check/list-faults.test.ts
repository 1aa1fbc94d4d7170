import { expect, test } from "bun:test";
import {
  describeListFault,
  findListFaultProblems,
  type ListFault,
} from "#check/list-changes-and-faults.ts";
import { createRedactor } from "#check/redact-known-values.ts";
import { keepText } from "#kit/text/unsafe-text.ts";

const fault: ListFault = {
  rule: "list_rejected",
  method: "tools/list",
  name: "t",
  text: "tools[0].title: expected string, received number",
  rejectedBy: "both",
};

test("findListFaultProblems says who rejects which list and why, without secrets", () => {
  const redact = createRedactor(new Map([["KEY", "s3cret"]]));
  const text = "tools[0].inputSchema.properties.s3cret: expected object";
  expect(findListFaultProblems([{ ...fault, name: "t s3cret", text }], redact)).toEqual([
    {
      level: "error",
      rule: "list_rejected",
      about: "t ${KEY}",
      text: "clients reject the answer to tools/list: tools[0].inputSchema.properties.${KEY}: expected object",
      line: null,
      place: "list",
    },
  ]);
});

const described = (changed: Partial<ListFault>) =>
  describeListFault({ ...fault, ...changed }, keepText);

test("describeListFault names the clients, in one line of a bounded length", () => {
  expect(described({ rejectedBy: "sdk1" })).toStartWith(
    "clients built on SDK 1.x reject the answer to tools/",
  );
  expect(described({ rejectedBy: "sdk2" })).toStartWith(
    "clients built on SDK 2.x reject the answer to tools/",
  );
  expect(described({ rule: "tools_undeclared", rejectedBy: "sdk2", text: "no" })).toBe(
    "clients built on SDK 2.x show no tools: no",
  );
  const long = described({ text: `tools[0].\n\u001B[2J${"x".repeat(5_000)}` });
  expect(long.length).toBeLessThan(400);
  expect(long).not.toContain("\n");
  expect(long).not.toContain("\u001B");
});

test("findListFaultProblems leaves the faults that another rule reports", () => {
  const rules = ["entries_not_tools", "input_schema_rejected", "output_schema_rejected"] as const;
  const faults = rules.map((rule) => ({ ...fault, rule }));
  expect(findListFaultProblems(faults, keepText)).toEqual([]);
});
