import { expect, test } from "bun:test";
import { threadFacts } from "#importers/codex/thread-facts.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const facts = (meta: object) => threadFacts({ ...meta }, "of the file", tools);

test("a thread that a user began is its own session", () => {
  expect(facts({ id: "t", cli_version: "0.1", cwd: "/w" })).toEqual({
    conversation: "t",
    session: "t",
    role: null,
    parent: null,
    clientVersion: "0.1",
    project: plainTools.projectHash("/w"),
  });
  expect(facts({}).conversation).toBe("of the file");
});

test("forks and sub-agents have a parent", () => {
  expect(facts({ id: "t", forked_from_id: "p" })).toMatchObject({ role: "fork", parent: "p" });
  const spawned = { subagent: { thread_spawn: { parent_thread_id: "p" } } };
  expect(facts({ id: "t", source: spawned, session_id: "s" })).toMatchObject({
    role: "subagent",
    parent: "p",
    session: "s",
  });
  expect(facts({ id: "t", source: { subagent: "review" } })).toMatchObject({
    role: "subagent",
    parent: null,
  });
});
