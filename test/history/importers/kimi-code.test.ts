import { expect, test } from "bun:test";
import { discoveredToolsMax, kimiCode } from "#history/importers/kimi-code.ts";
import { eventsOf } from "../../support/logs.ts";

const [logFolder] = kimiCode.findFolders({ folder: "/h", env: {}, platform: "linux" });

test("its folder is named by its variable, or is the usual one; agents and states are read", () => {
  const env = { KIMI_CODE_HOME: "/k/" };
  expect(kimiCode.findFolders({ folder: "/h", env, platform: "linux" })[0]?.folder).toBe(
    "/k/sessions",
  );
  expect(logFolder?.folder).toBe("/h/.kimi-code/sessions");
  expect(logFolder?.detectForm("wd/s/agents/main/wire.jsonl")).toBe("lines");
  expect(logFolder?.detectForm("wd/s/state.json")).toBe("document");
  for (const path of ["wd/s/logs/x.jsonl", "wd/s/notify/state.json", "wire.jsonl", "state.json"]) {
    expect(logFolder?.detectForm(path)).toBeUndefined();
  }
});

const names = (tools: number, called: string) => {
  const discovered = {
    type: "mcp.tools_discovered",
    serverName: "my docs",
    tools: Array.from({ length: tools }, (_, at) => ({ name: `t.${at}` })),
  };
  const event = { type: "tool.call", uuid: "u", name: called };
  const { events } = eventsOf(
    (readerTools) => kimiCode.open("wd/s/agents/main/wire.jsonl", readerTools),
    [discovered, { type: "context.append_loop_event", event }],
  );
  const use = events.at(-1);
  return use?.kind === "tool_use" ? use.name : undefined;
};

test("a call has the names under which its server was discovered, for a limited number of tools", () => {
  const last = discoveredToolsMax - 1;
  expect(names(1, "mcp__my_docs__t_0")).toEqual({ server: "my docs", tool: "t.0" });
  expect(names(last + 1, `mcp__my_docs__t_${last}`)).toEqual({
    server: "my docs",
    tool: `t.${last}`,
  });
  const joined = `mcp__my_docs__t_${last + 1}`;
  expect(names(last + 2, joined)).toEqual({ joined, form: "mcp__server__tool" });
});
