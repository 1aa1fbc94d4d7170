import { expect, setDefaultTimeout, test } from "bun:test";
import { visitServer } from "#check/mcp-client/visit.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { capturedIo } from "../../support/io.ts";
import { eventually } from "../../support/wait.ts";
import { waitForEndOfProcessesWith, replay, scratch, uniqueSeconds } from "../../support/replay.ts";

setDefaultTimeout(60_000);

const folder = scratch();
const tools = [{ name: "t", description: "A tool", inputSchema: { type: "object" } }];
const file = folder.write("visited.json", { server: "one", instructions: "Do.", tools });
const target = { command: replay(file) };
const timeoutMs = 10_000;
const toCall = { tool: "t", arguments: {}, timeoutMs: 2_000 };

test("visitServer brings back identity, lists and the result of the work", async () => {
  const visited = await visitServer(
    { target, timeoutMs, redact: undefined, work: (server) => server.call(toCall) },
    capturedIo(),
  );
  expect(visited).toMatchObject({
    visit: { server: { name: "one", instructions: "Do." }, lists: { tools } },
  });
  expect(visited).toMatchObject({ visit: { result: { isError: false, error: null } } });
});

test("visitServer hands on the lines of the greeting and the work, not those of the lists", async () => {
  const methods: string[] = [];
  await visitServer(
    {
      target,
      timeoutMs,
      redact: undefined,
      work: (server) => server.call(toCall),
      makeLineHandler: () => (_from, line) => {
        const message = parseMessage(line);
        if ("method" in message) methods.push(message.method);
      },
    },
    capturedIo(),
  );
  expect(methods).toContain("initialize");
  expect(methods).toContain("tools/call");
  expect(methods.filter((method) => method.endsWith("/list"))).toEqual([]);
});

test("visitServer ends with the signal that interrupts it, and the server with it", async () => {
  const io = capturedIo();
  setTimeout(() => io.hear("SIGINT"), 200);
  const seconds = uniqueSeconds();
  const options = {
    target: { command: ["sleep", seconds] },
    timeoutMs,
    redact: undefined,
    work: async () => undefined,
  };
  expect(await visitServer(options, io)).toEqual({ interrupted: { signal: "SIGINT" } });
  expect(await waitForEndOfProcessesWith(seconds)).toEqual([]);
});

test("visitServer throws what the work throws, and ends the server", async () => {
  const options = {
    target,
    timeoutMs,
    redact: undefined,
    work: () => Promise.reject(new Error("ours")),
  };
  const visiting = visitServer(options, capturedIo());
  expect(await visiting.catch(String)).toBe("Error: ours");
  expect(await waitForEndOfProcessesWith(file)).toEqual([]);
});

test.each([
  ["xterm", true],
  ["dumb", false],
])(
  "visitServer shows each part of its work on a terminal of the type %s: %p",
  async (TERM, isShown) => {
    const captured = capturedIo({ TERM });
    const io = { ...captured, stderr: { ...captured.stderr, isTerminal: true } };
    const work = async (_: unknown, begin: (activity: string) => void) => {
      begin("call 1 of 1");
      await eventually("a second", () => !isShown || captured.written.stderr.includes("call 1"));
      if (!isShown) await Bun.sleep(1_100);
    };
    await visitServer({ target, timeoutMs, redact: undefined, work }, io);
    expect(captured.written.stderr.includes("call 1 of 1, 1 s")).toBe(isShown);
    if (isShown) expect(captured.written.stderr).toEndWith("\r\u001b[2K");
    else expect(captured.written.stderr).toBe("");
  },
);
