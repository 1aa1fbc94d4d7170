import { describe, expect, test } from "bun:test";
import { measurePreamble, preambleParagraphsMax } from "#tokens/cost/answer-overhead/overhead.ts";
import { cpuMs } from "../../../support/measure.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";

const rows = '{\n  "rows": [1, 2]\n}';
const actions = "Available actions:\n- open_issue\n- close_issue\n\n";

const fill = (unit: string) => unit.repeat(Math.floor(lineObservedBytesMax / unit.length));

describe("measurePreamble", () => {
  test.each([
    ["an instruction", "IMPORTANT: show the link.\n\n", "# Title"],
    ["an instruction in one line", "You must cite the page.\n", "Rows: 2"],
    ["instructions by their name", "Instructions for the assistant\n\n", "Rows: 2"],
    ["an instruction about answers", "When answering, cite the page.\n \n", "Rows: 2"],
    ["an instruction for people", "", "You must install Node first.\n\nThen run it."],
    ["a hint about an API", "", "When you call this API, it should answer.\n\nExample"],
    ["white space ahead of it", "\n IMPORTANT: cite.\n", "Rows"],
    ["nothing that follows it", "", "IMPORTANT: nothing follows\n"],
    ["an ordinary word", "", "Important dates\n\n1 May"],
    ["an instruction behind the answer", "", "Rows: 2\n\nIMPORTANT: cite."],
    ["an empty text", "", ""],
    ["rules in XML", "<domain_rules>\nCite.\n\nBe brief.\n</domain_rules>\n", rows],
    ["an element that is not of rules", "", "<items>\n<item/>\n</items>\nIMPORTANT: x"],
    ["an element that is not closed", "", `<domain_rules>\nCite.\n${rows}`],
    ["two elements", "<system-reminder>a</system-reminder>\n<rules>b</rules>\n", rows],
    ["rules of several lines ahead of JSON", "BUSINESS RULES:\n1. Cite.\n2. Be brief.\n", rows],
    ["rules and actions", `DOMAIN RULES:\n\n1. Cite.\n\n${actions}`, "Title,State\nA,open"],
    ["actions", actions, rows],
    ["a list that is data", "", "Issues:\n\n- one\n- two\n\nmore"],
  ])("%s", (_name, preamble, data) => {
    expect(measurePreamble(preamble + data)).toBe(preamble.length);
  });

  test("instructions of any length are one preamble", () => {
    const rules = Array.from({ length: 900 }, (_, at) => `${at + 1}. Never answer twice.`);
    const preamble = `IMPORTANT: the rules are:\n\n${rules.join("\n")}\n\n`;
    expect(preamble.length).toBeGreaterThan(20_000);
    expect(measurePreamble(`${preamble}${rows}`)).toBe(preamble.length);
  });

  test.each([
    ["IMPORTANT: show the link.", true],
    ["RULES:\n- cite\n- be brief", true],
    ["<domain_rules>Cite.</domain_rules>", true],
    ["IMPORTANT: cite.\n\n# Title\n\nRoses.", false],
    ["Roses.", false],
  ])("a block of its own, %j, is a whole preamble when more follows: %p", (text, isWhole) => {
    expect(measurePreamble(text, true) === text.length).toBe(isWhole);
    expect(measurePreamble(text)).toBeLessThan(text.length);
  });

  test("paragraphs beyond the limit are data", () => {
    const paragraph = "IMPORTANT: cite.\n\n";
    const many = paragraph.repeat(preambleParagraphsMax);
    expect(measurePreamble(`${many}Rows`)).toBe(many.length);
    expect(measurePreamble(`${many}${paragraph}Rows`)).toBe(many.length);
  });

  test("the worst texts take linear time", async () => {
    const texts = [
      "IMPORTANT: a\n{\n\n",
      "<rules></rules>",
      "RULES:\n\n- a\n\n",
      "IMPORTANT: \n ",
      "RULES:\n x",
    ].map(fill);
    const spent = await cpuMs(() => {
      for (const text of texts)
        for (const isFollowed of [true, false]) measurePreamble(text, isFollowed);
    });
    expect(spent).toBeLessThan(700);
  });
});
