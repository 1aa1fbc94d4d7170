import { expect, test } from "bun:test";
import {
  renderMeasurement,
  renderProblems,
  replaceMeasurement,
} from "../../../scripts/clients/document.ts";
import type { Measurement } from "../../../scripts/clients/measurement.ts";

const right = { tool: "several_texts", read: 1_200, counted: 1_201 };
const fine: Measurement = {
  title: "Client",
  version: "1.2.3",
  on: "2026-11-22",
  answers: [{ ...right, isCut: true, isAlerted: true, isRight: true }],
  definitions: { resident: { read: 100, counted: 99 }, loaded: { read: 0, counted: 0 } },
  requests: { total: 3, same: 3, difference: undefined },
  refusals: [{ tool: "text", form: "rpc", isVerbatim: true }],
  sessions: { total: 3, ended: 2 },
  leftovers: [],
};

test("a run that agrees is a sentence and a table", () => {
  expect(renderMeasurement(fine)).toBe(
    [
      "Client 1.2.3, 2026-11-22: 1 of 1 answers agree. 3 of 3 requests are the same without mcp-meter. 1 of 1 refusals were read verbatim. 2 of 3 logs have an `end` record; processes left: 0.",
      "",
      "| answer                                       | read  | counted | difference | cut by the client |",
      "| -------------------------------------------- | ----- | ------- | ---------- | ----------------- |",
      "| several texts                                | 1,200 | 1,201   | +1         | yes, alert        |",
      "| definitions and instructions, from the start | 100   | 99      | -1         |                   |",
    ].join("\n"),
  );
  expect(renderProblems(fine)).toBe("Everything agrees");
});

test("everything that differs is a sentence", () => {
  const wrong: Measurement = {
    ...fine,
    answers: [
      { tool: "a", read: 10, counted: 20, isCut: false, isAlerted: false, isRight: false },
      { tool: "b", read: 10, counted: 10, isCut: true, isAlerted: false, isRight: false },
      { tool: "c", read: 10, counted: 10, isCut: false, isAlerted: true, isRight: false },
    ],
    definitions: { resident: { read: 100, counted: 90 }, loaded: { read: 40, counted: 20 } },
    requests: { total: 3, same: 2, difference: ["a cat", "a dog"] },
    refusals: [{ tool: "text", form: "rpc", isVerbatim: false }],
    leftovers: ["server --run 1"],
  };
  expect(renderProblems(wrong).split("\n")).toEqual([
    "- a: 10 tokens read, 20 counted",
    "- b: 10 tokens read, 10 counted; cut without an alert",
    "- c: 10 tokens read, 10 counted; an alert, and not cut",
    "- resident definitions: 100 read, 90 counted",
    "- loaded definitions: 40 read, 20 counted",
    "- requests: 2 of 3 are the same; a cat <> a dog",
    "- refusal of text (rpc): not read verbatim",
    "- left running: server --run 1",
  ]);
  expect(renderMeasurement(wrong)).toContain("| definitions, loaded ");
});

test("a result replaces the one of its client", () => {
  const document = "A\n\n<!-- compared: x -->\n\nold\n\n<!-- end: x -->\n\nB";
  expect(replaceMeasurement(document, "x", "new")).toBe(document.replace("old", "new"));
  expect(() => replaceMeasurement(document, "y", "new")).toThrow(
    'Cannot write the result: the document has no "<!-- compared: y -->"',
  );
});
