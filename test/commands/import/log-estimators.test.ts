import { expect, test } from "bun:test";
import { LogEstimators, makeLogUtils } from "#commands/import/log-estimators.ts";

test("each model has its estimator, an unknown model that of the client", () => {
  const estimators = new LogEstimators("claude-code");
  expect(estimators.find("claude-opus-4-8").id).toBe("claude");
  expect(estimators.find("claude-sonnet-4-5").id).toBe("claude-legacy");
  expect(estimators.find("gpt-5").id).toBe("o200k");
  expect(estimators.find(null).id).toBe("claude");
  expect(estimators.find("gpt-5")).toBe(estimators.find("gpt-5"));
});

const estimators = new LogEstimators("claude-code");

const options = {
  countsTokens: true,
  measuresTexts: true,
  key: "secret",
  namesProjects: false,
  keepsEntries: false,
};

test("tokens are counted by the model's estimator, or not at all", () => {
  const { countTokens } = makeLogUtils(estimators, options);
  expect(countTokens("hello world", "gpt-5")).toBe(2);
  expect(
    makeLogUtils(estimators, { ...options, countsTokens: false }).countTokens(
      "hello world",
      "gpt-5",
    ),
  ).toBeNull();
});

test("projects are hashed with the installation's key, and named if the user wants it", () => {
  const { hashProject, nameProject } = makeLogUtils(estimators, options);
  expect(hashProject("/work/demo")).toMatch(/^[\da-f]{64}$/);
  expect(makeLogUtils(estimators, { ...options, key: "other" }).hashProject("/work/demo")).not.toBe(
    hashProject("/work/demo"),
  );
  expect(nameProject("/work/demo")).toBeNull();
  const named = makeLogUtils(estimators, { ...options, namesProjects: true });
  expect(named.nameProject("/work/demo/")).toBe("demo");
  expect(named.nameProject("C:\\work\\demo")).toBe("demo");
  expect(named.nameProject("/")).toBeNull();
});

test("the bytes of a text have the tokens of the text", () => {
  const texts = [
    "",
    "hello world",
    "[1, 2]",
    ' {"a": [1, "ü"]}',
    "[not JSON]",
    "ein Wörtchen 👩‍🚀",
    "[]\n",
  ];
  const models = ["claude-opus-4-8", "claude-sonnet-4-5", "gpt-5", "gemini-3-pro", "unknown", null];
  for (const model of models) {
    for (const text of [...texts, texts.join(" ").repeat(2_000)]) {
      const [fromText, fromBytes] = [text, Buffer.from(text)].map((value) =>
        new LogEstimators("claude-code").count(value, model),
      );
      expect([model, fromBytes]).toEqual([model, fromText]);
    }
  }
  const invalid = Buffer.from([0x61, 0xff, 0xe2, 0x82, 0x62]);
  expect(estimators.count(invalid, "gpt-5")).toBe(estimators.count(invalid.toString(), "gpt-5"));
});
