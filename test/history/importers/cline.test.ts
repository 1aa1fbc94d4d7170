import { expect, test } from "bun:test";
import { cline } from "#history/importers/cline.ts";
import { kiloCode } from "#history/importers/opencode.ts";
import { rooCode } from "#history/importers/roo-code.ts";
import type { Importer } from "#history/imports/importer.ts";
import { eventsOf } from "../../support/logs.ts";

const listFolders = (
  importer: Importer,
  env: Readonly<Record<string, string>>,
  platform = "linux",
) => importer.findFolders({ folder: "/h", env, platform }).map(({ folder }) => folder);

test("the folders of Cline are named by its variables, and the extension has one in each editor", () => {
  const extension = "User/globalStorage/saoudrizwan.claude-dev/tasks";
  expect(listFolders(cline, {}).slice(0, 3)).toEqual([
    "/h/.cline/data/sessions",
    "/h/.cline/data/tasks",
    `/h/.config/Code/${extension}`,
  ]);
  expect(listFolders(cline, { CLINE_DIR: "/c" })[0]).toBe("/c/data/sessions");
  expect(listFolders(cline, { CLINE_DATA_DIR: "/d" }).slice(0, 2)).toEqual([
    "/d/sessions",
    "/d/tasks",
  ]);
  expect(listFolders(cline, { CLINE_SESSION_DATA_DIR: "/s", CLINE_DATA_DIR: "/d" })[0]).toBe("/s");
  expect(listFolders(rooCode, {}, "darwin")).toContain(
    "/h/Library/Application Support/Cursor/User/globalStorage/rooveterinaryinc.roo-cline/tasks",
  );
  expect(listFolders(kiloCode, { XDG_DATA_HOME: "/x" })[0]).toBe("/x/kilo");
});

test("sessions and messages of tasks are read, and nothing else", () => {
  const [sessions, tasks] = cline.findFolders({ folder: "/h", env: {}, platform: "linux" });
  for (const path of ["s1/s1.json", "s1/s1.messages.json", "s1/agent.messages.json"]) {
    expect(sessions?.detectForm(path)).toBe("document");
  }
  for (const path of ["s1/s2.json", "s1/s1.compaction.json", "s1.json", "a/b/c.messages.json"]) {
    expect(sessions?.detectForm(path)).toBeUndefined();
  }
  expect(tasks?.detectForm("1/ui_messages.json")).toBe("document");
  for (const path of [
    "1/api_conversation_history.json",
    "ui_messages.json",
    "1/2/ui_messages.json",
  ]) {
    expect(tasks?.detectForm(path)).toBeUndefined();
  }
  expect([tasks?.mayEnter?.("1"), tasks?.mayEnter?.("1/checkpoints")]).toEqual([true, false]);
});

const usage = (importer: Importer, counts: object) => {
  const text = JSON.stringify(counts);
  const { events } = eventsOf(
    (tools) => importer.open("1/ui_messages.json", tools),
    [{ ts: 1, type: "say", say: "api_req_started", text }],
  );
  const [, request] = events;
  return request?.kind === "request" ? request.usage : undefined;
};

test("the input of Roo Code and Kilo Code includes cached tokens unless they exceed it; Cline's input never does", () => {
  const counts = { tokensIn: 100, tokensOut: 1, cacheReads: 60, cacheWrites: 30 };
  const more = { ...counts, cacheReads: 80 };
  expect(usage(cline, counts)?.uncached).toBe(100);
  for (const importer of [rooCode, kiloCode]) {
    expect(usage(importer, counts)).toMatchObject({
      uncached: 10,
      cacheRead: 60,
      cacheWrite5m: 30,
      output: 1,
    });
    expect(usage(importer, more)?.uncached).toBe(100);
  }
});

test("messages without a time or a kind are counted, and an answer without a call is left out", () => {
  const { events, unknown } = eventsOf(
    (tools) => rooCode.open("1/ui_messages.json", tools),
    [
      { ts: "x", say: "text" },
      { ts: 1 },
      { ts: 2, say: "mcp_server_request_started" },
      { ts: 3, say: "mcp_server_response", text: "found" },
      { ts: 4, say: "api_req_started", text: "{" },
    ],
  );
  expect([events.map(({ kind }) => kind), unknown]).toEqual([["conversation"], 2]);
});
