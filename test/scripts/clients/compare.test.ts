// The comparison of requests, records and answers, over invented sessions.
import { describe, expect, test } from "bun:test";
import { compareAnswers } from "../../../scripts/clients/compare/answers.ts";
import { isCut } from "../../../scripts/clients/compare/cut.ts";
import { compareDefinitions } from "../../../scripts/clients/compare/definitions.ts";
import { comparable, compareRequests } from "../../../scripts/clients/compare/requests.ts";
import { isClose } from "../../../scripts/clients/compare/tolerance.ts";
import { withUsualPaths } from "../../../scripts/clients/compare/usual-paths.ts";
import type { AlertRecord, CallRecord, DefinitionsRecord } from "#records/record.ts";
import { readerFor } from "#commands/reader.ts";
import { usualId } from "#cost/clients/common.ts";
import { png } from "../../../scripts/clients/server/media.ts";

const text = (of: string) => ({ kind: "text", text: of }) as const;
const reader = readerFor({
  tokenizer: "o200k",
  model: "gpt-5.5",
  client: undefined,
  windowTokens: undefined,
})("codex");

const observed = (
  outputTokens: number,
  result: unknown,
  parts: readonly { kind: "text"; text: string }[],
) => [{ call: { tool: "a", output_tokens: outputTokens } as CallRecord, result, parts }];

const define = (name: string) => ({
  name,
  description: "Lists them",
  schema: { type: "object" },
});

test.each([
  [0, 5, true],
  [0, 6, false],
  [100, 105, true],
  [100, 94, false],
  [1_000, 1_050, true],
  [1_000, 949, false],
])("%i tokens read and %i counted are close: %p", (read, counted, isRight) => {
  expect(isClose({ read, counted })).toBe(isRight);
});

test("folders of a session become a user's, also with dashes, and ids the usual one", () => {
  const folders = {
    home: "/tmp/run-1/home",
    work: "/tmp/run-1/work",
    tmp: "/tmp/run-1/tmp",
  };
  const said = "in /tmp/run-1/work, saved to /tmp/run-1/home/.c/-tmp-run-1-work/a.txt";
  const usual = "/home/user/projects/example-organisation-application";
  expect(withUsualPaths(said, folders)).toBe(
    `in ${usual}, saved to /home/user/.c/${usual.replaceAll("/", "-")}/a.txt`,
  );
  const id = "ba979eeb-6149-4e4f-a511-c563d8d49674";
  expect(withUsualPaths("/tmp/run-1/tmp/a", folders)).toBe("/tmp/a");
  expect(withUsualPaths(`${id}.txt`, folders)).toBe(`${usualId}.txt`);
});

describe("an answer is cut", () => {
  const long = "A line of it.\n".repeat(100);
  const content = [{ type: "text", text: long }];

  test.each([
    ["not when all of it was read", { content }, [text(`a frame ${long}`)], false],
    ["not when it was read inside of JSON", { content }, [text(JSON.stringify({ long }))], false],
    ["when a part of it was read", { content }, [text(long.slice(0, 500))], true],
    ["when nothing was read", { content }, [], true],
    ["never when it is short", { content: [{ type: "text", text: "No" }] }, [], false],
    [
      "not when the structured half was read",
      { content: [{ type: "text", text: "No" }], structuredContent: { long } },
      [text(JSON.stringify({ long }))],
      false,
    ],
    [
      "when a short half was read, and a part of the long one",
      { content: [{ type: "text", text: "No" }], structuredContent: { long } },
      [text(`No ${JSON.stringify({ long }).slice(0, 500)}`)],
      true,
    ],
    [
      "when one of its texts is missing",
      { content: [...content, { type: "text", text: "The end" }] },
      [text(long)],
      true,
    ],
  ] as const)("%s", (_name, result, parts, expected) => {
    expect(isCut(result, parts)).toBe(expected);
  });
});

describe("answers", () => {
  const alert = { tool: "a", alert: "would_spill" } as AlertRecord;
  const long = { content: [{ type: "text", text: "word ".repeat(300) }] };

  test("are right when tokens and alerts agree", () => {
    const compared = compareAnswers(observed(3, {}, [text("one two three")]), [], reader);
    expect(compared).toEqual([
      { tool: "a", read: 3, counted: 3, isCut: false, isAlerted: false, isRight: true },
    ]);
  });

  test.each([
    ["many tokens apart", 20, long.content[0]?.text ?? "", [], false],
    ["a missing alert", 2, "word word", [], false],
    ["an alert", 2, "word word", [alert], true],
    ["a false alert", 300, long.content[0]?.text ?? "", [alert], false],
    [
      "an alert of another kind",
      300,
      long.content[0]?.text ?? "",
      [{ ...alert, alert: "slow_call" }],
      true,
    ],
  ] as const)("%s", (_name, counted, read, alerts, isRight) => {
    const [compared] = compareAnswers(observed(counted, long, [text(read)]), alerts, reader);
    expect(compared?.isRight).toBe(isRight);
  });

  test("have images priced by their size, also as the address of their data", () => {
    const data = png(64, 64);
    const parts = [{ kind: "image", data: `data:image/png;base64,${data}` }] as const;
    const call = { tool: "a", output_tokens: 5 } as CallRecord;
    // 2 × 2 squares of 32 pixels, times 1.2.
    expect(compareAnswers([{ call, result: {}, parts }], [], reader)[0]?.read).toBe(5);
  });
});

describe("definitions", () => {
  const without = { texts: ["Be brief.\nBe kind."], definitions: [define("own")] };
  const first = {
    texts: ["Be brief.\nserver__a\nserver__b\nBe kind.\nBe kind."],
    definitions: [define("own")],
  };
  const last = { texts: first.texts, definitions: [define("own"), define("server__a")] };

  test("are compared from the start and once loaded", () => {
    const record = {
      resident_tokens: 12,
      is_deferred: true,
      loading_tokens: 4,
      tools: [
        { name: "a", tokens: 9, context_tokens: 10 },
        { name: "b", tokens: 9 },
        { name: "c", tokens: 7 },
      ],
    } as unknown as DefinitionsRecord;
    const compared = compareDefinitions(record, { without, first, last }, ["a", "b"]);
    // "server__a\nserver__b\nBe kind." and "server__a", "Lists them", {"type":"object"}.
    expect(compared).toEqual({
      resident: { read: 11, counted: 12 },
      loaded: { read: 10, counted: 23 },
    });
    const all = { ...record, is_deferred: false };
    const { loaded } = compareDefinitions(all, { without, first, last: first }, ["a"]);
    expect(loaded).toEqual({ read: 0, counted: 0 });
  });
});

const bodyOf = (tools: readonly string[], list: readonly number[]) =>
  comparable("/v1", { list, input: [{ tools: tools.map((name) => ({ name, b: 1 })) }] });

describe("requests of two sessions", () => {
  const one = '/v1 {"id":"0f0e0d0c-1111-4222-8333-444455556666","at":"2026-11-22T03:00:00.123Z"}';
  const other = '/v1 {"id":"ffffffff-1111-4222-8333-444455556666","at":"2026-11-22T04:59:59Z"}';

  test("are the same in any order, but for ids and times", () => {
    expect(compareRequests([one, "/v1 a"], ["/v1 a", other])).toEqual({
      total: 2,
      same: 2,
      difference: undefined,
    });
    expect(
      compareRequests(
        [
          "saved to a-1795317974729-gqzi1x.txt by call_1795317974000_0_0uozr.txt, tool_201752652001eYAdcqrr3jDPP2, Wall time: 0.0110 seconds",
        ],
        [
          "saved to a-1795318291167-zsobi2.txt by call_1795318291000_0_s1pwbf.txt, tool_201759c47001Rzesvt9KIG16uJ, Wall time: 1.2 seconds",
        ],
      ).same,
    ).toBe(1);
  });

  test("are the same with members and tools in another order, and not with other lists", () => {
    expect(bodyOf(["x", "y"], [1, 2])).toBe(bodyOf(["y", "x"], [1, 2]));
    expect(bodyOf(["x", "y"], [1, 2])).not.toBe(bodyOf(["x", "y"], [2, 1]));
    expect(comparable("/v1", { a: 1, b: 2 })).toBe(comparable("/v1", { b: 2, a: 1 }));
  });

  test("differ by a word, a missing one or one too many", () => {
    const compared = compareRequests([one, "/v1 a cat"], ["/v1 a dog", other]);
    expect(compared).toEqual({ total: 2, same: 1, difference: ["/v1 a cat", "/v1 a dog"] });
    expect(compareRequests([one], [])).toMatchObject({ total: 1, same: 0 });
    expect(compareRequests([one], [one, one])).toMatchObject({ total: 2, same: 1 });
    expect(compareRequests([one], [one, one]).difference).toBeDefined();
  });
});
