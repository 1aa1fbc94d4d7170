import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { parseServerOptions } from "#commands/visit/options.ts";
import { visitServer } from "#commands/visit/visit.ts";
import { capturedIo } from "../../support/io.ts";
import { processesWith, replay, scratch, uniqueSeconds } from "../../support/replay.ts";

// Processes take their time on a machine that is busy.
setDefaultTimeout(60_000);

const folder = scratch();
afterAll(() => folder.remove());
const tools = [{ name: "t", description: "A tool", inputSchema: { type: "object" } }];
const file = folder.write("visited.json", { server: "one", instructions: "Do.", tools });
const options = parseServerOptions({ timeout: "10" });

test("visitServer brings back what the meter of run records", async () => {
  const visited = await visitServer(replay(file), options, capturedIo(), (server) =>
    server.call("t", {}, 2_000),
  );
  if (!("visit" in visited)) throw new Error("interrupted");
  const { server, definitions, session, records, done } = visited.visit;
  expect(server.name).toBe("one");
  expect(session).toMatchObject({ server: "one", client_name: "mcp-meter" });
  expect(definitions).toMatchObject({ tools_total: 1, is_complete: true });
  expect(definitions?.instructions_tokens).toBeGreaterThan(0);
  expect(records.find((record) => record.type === "call")).toMatchObject({ tool: "t" });
  expect(records.at(-1)?.type).toBe("end");
  expect(done.isError).toBe(false);
});

test("visitServer ends with the signal that interrupts it, and the server with it", async () => {
  const io = capturedIo();
  setTimeout(() => io.hear("SIGINT"), 200);
  const seconds = uniqueSeconds();
  const visited = await visitServer(["sleep", seconds], options, io, async () => undefined);
  expect(visited).toEqual({ interrupted: { signal: "SIGINT" } });
  expect(await processesWith(seconds)).toEqual([]);
});

test("visitServer throws what was thrown during the visit, and ends the server", async () => {
  const visiting = visitServer(replay(file), options, capturedIo(), async () => {
    throw new Error("ours");
  });
  expect(await visiting.catch(String)).toBe("Error: ours");
  expect(await processesWith(file)).toEqual([]);
});
