import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { clientNamed, type Connection } from "../support/clients.ts";
import { markName, processesOf } from "../support/processes.ts";
import { everything, everythingOverHttp, executable } from "../support/servers.ts";
import { freePort } from "../support/free-port.ts";
import { StartedProcess } from "../support/started-process.ts";
import { eventually } from "../support/wait.ts";
import { makeHome, onlyLog, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

const packages = join(import.meta.dir, "../../node_modules");
const [node = process.execPath] = everythingOverHttp();

async function conversation(connection: Connection) {
  const progress: number[] = [];
  const tools = (await connection.listTools()).length;
  const said = await connection.callTool("echo", { message: "hé 中" });
  const args = { duration: 0.4, steps: 2 };
  await connection.callTool("trigger-long-running-operation", args, progress);
  await connection.close();
  return { tools, said, progress };
}

const said = {
  kind: "result" as const,
  result: { content: [{ type: "text", text: "Echo: hé 中" }] },
};

test("a server behind a URL by mcp-remote, behind mcp-meter: the client's own name, its calls, nothing left (slow)", async () => {
  const home = makeHome();
  const port = freePort();
  using server = new StartedProcess(everythingOverHttp(), { PORT: String(port) });
  try {
    await eventually("server-everything", () => server.err.includes("listening"));
    const mark = crypto.randomUUID();
    const remote = join(packages, "mcp-remote/dist/proxy.js");
    const connection = await clientNamed("sdk-v1").connect({
      name: "mcp-remote",
      argv: [executable(), "--", node, remote, `http://127.0.0.1:${port}/mcp`],
      env: { ...home.env, [markName]: mark },
    });
    // SDK v1 loses a progress that it reads in one chunk with the answer.
    const { progress, ...rest } = await conversation(connection);
    expect([rest, progress[0]]).toEqual([{ tools: expect.any(Number), said }, 1]);
    await eventually("the end of all", () => processesOf(mark).length === 0);
    const records = await onlyLog(home);
    expect(records[0]).toMatchObject({ type: "session", client_name: "sdk-v1-host" });
    expect(records.filter(({ type }) => type === "call")).toMatchObject([
      { tool: "echo", outcome: "ok" },
      { tool: "trigger-long-running-operation", outcome: "ok" },
    ]);
  } finally {
    home.remove();
  }
});

test("a server on stdio behind mcp-meter, offered over HTTP by supergateway: its calls, and nothing left after SIGTERM (slow)", async () => {
  const home = makeHome();
  const port = freePort();
  const mark = crypto.randomUUID();
  const quoted = [executable(), "--", ...everything().argv].map((word) => `'${word}'`);
  const command = quoted.join(" ");
  const argv = [node, join(packages, "supergateway/dist/index.js"), "--stdio", command];
  const words = ["--outputTransport", "streamableHttp", "--stateful", "--port", String(port)];
  using gateway = new StartedProcess([...argv, ...words], { ...home.env, [markName]: mark });
  try {
    await eventually("supergateway", () => gateway.out.includes("Listening"));
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    const connection = await clientNamed("sdk-v1").connect(url);
    const all = { tools: expect.any(Number), said, progress: [1, 2] };
    expect(await conversation(connection)).toEqual(all);
    await gateway.end();
    await eventually("the end of all", () => processesOf(mark).length === 0);
    const calls = (await onlyLog(home)).filter(({ type }) => type === "call");
    expect(calls.map(({ tool }) => tool)).toEqual(["echo", "trigger-long-running-operation"]);
  } finally {
    home.remove();
  }
});
