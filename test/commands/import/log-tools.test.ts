import { expect, test } from "bun:test";
import { LogEstimators, makeLogTools } from "#commands/import/read-clients.ts";

test("each model has its estimator, an unknown model that of the client", () => {
  const estimators = new LogEstimators("claude-code");
  expect(estimators.find("claude-opus-4-8").id).toBe("claude");
  expect(estimators.find("claude-sonnet-4-5").id).toBe("claude-legacy");
  expect(estimators.find("gpt-5").id).toBe("o200k");
  expect(estimators.find(null).id).toBe("claude");
  expect(estimators.find("gpt-5")).toBe(estimators.find("gpt-5"));
});

test("tokens are counted by the model's estimator, or not at all", () => {
  const { countTokens } = makeLogTools(new LogEstimators("claude-code"));
  expect(countTokens("hello world", "gpt-5")).toBe(2);
  expect(makeLogTools(undefined).countTokens("hello world", "gpt-5")).toBeNull();
});

const options = { key: "secret", namesProjects: false };

test("projects are hashed with the installation's key, and named if the user wants it", () => {
  const { projectHash, projectName } = makeLogTools(undefined, options);
  expect(projectHash("/work/demo")).toMatch(/^[\da-f]{64}$/);
  expect(makeLogTools(undefined, { ...options, key: "other" }).projectHash("/work/demo")).not.toBe(
    projectHash("/work/demo"),
  );
  expect(projectName("/work/demo")).toBeNull();
  const named = makeLogTools(undefined, { ...options, namesProjects: true });
  expect(named.projectName("/work/demo/")).toBe("demo");
  expect(named.projectName("C:\\work\\demo")).toBe("demo");
  expect(named.projectName("/")).toBeNull();
});
