import { expect, test } from "bun:test";
import { costNotes } from "#renderers/documents/cost-notes.ts";
import { summaryDocument } from "#renderers/documents/summary.ts";
import { renderTerminal } from "#renderers/terminal.ts";
import { madePrices } from "../../support/made-prices.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";
import { summaryOf } from "../../support/play.ts";

const call = { input_tokens: 1_000, output_tokens: 10_000 };

test("the range at list prices with their date, its limits, and calls without a price", () => {
  const records = [
    sessionRecord({ model: "opus" }),
    callRecord(call),
    callRecord({ ...call, model: "glm\u001b[31m" }),
  ];
  const summary = summaryOf(records, madePrices());
  expect(costNotes(summary)).toMatchObject([
    {
      label: "cost",
      text: "~$0.030–0.13 at list prices (made, 2026-11-22): an estimated part of the cost of a session",
    },
    { label: "cost" },
    {
      label: "no price",
      text: [
        "1 call of ",
        { name: "glm\u001b[31m" },
        "; use the name that the maker of the model uses, or --prices",
      ],
    },
  ]);
  const text = renderTerminal(summaryDocument(summary), { color: false });
  expect(text).not.toContain("\u001b");
  expect(text).toContain("a subscription is not billed by token");
  expect(text).not.toMatch(/saved|you paid/i);
});

test("no model is known: there is no amount, and the way to one", () => {
  const summary = summaryOf([sessionRecord(), callRecord(call)], madePrices());
  expect(costNotes(summary)).toEqual([
    { label: "no price", text: ["1 call of an unknown model (name it: mcp-meter --model NAME)"] },
  ]);
});

test("without prices there is nothing about money", () => {
  expect(costNotes(summaryOf([sessionRecord(), callRecord()]))).toEqual([]);
});

test("the model of a call of a log cannot be named by an option", () => {
  const unpriced = [{ model: null, calls: 2 }];
  const texts = [2, 3].map((calls) => {
    const total = { calls, imported_calls: 2 };
    return costNotes({ cost: { prices: "book", unpriced }, total }).map(({ text }) => text);
  });
  expect(texts).toEqual([
    [["2 calls of an unknown model"]],
    [["2 calls of an unknown model (name it: mcp-meter --model NAME)"]],
  ]);
});
