import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { RawHttpServer } from "../support/raw-http-server.ts";
import { call, initialize, notification, request } from "../support/rpc.ts";
import { bare, fixture, testMaxMs } from "../support/session.ts";
import { Folder } from "../support/folder.ts";
import { StartedProcess } from "../support/started-process.ts";
import { TracedTree } from "../support/traced-tree.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

let tree: TracedTree;
beforeAll(() => {
  tree = new TracedTree();
});
afterAll(() => tree[Symbol.dispose]());

const now = () => performance.timeOrigin + performance.now();

type Journey = { readonly files: ReadonlySet<string>; readonly switches: number };

/** The files that one message enters, and the changes between them, when the work before it is over. */
async function follow(
  play: () => Promise<unknown>,
  countRecords: () => number = () => Infinity,
): Promise<Journey> {
  await quiet(() => countRecords() >= 1);
  const sinceMs = now();
  await play();
  await quiet(() => countRecords() >= 2);
  const threads = tree.entriesSince(sinceMs).map((files) => files.filter(isCounted));
  const switches = threads.map(
    (files) => files.filter((file, at) => file !== files[at - 1]).length,
  );
  return { files: new Set(threads.flat()), switches: Math.max(...switches) };
}

// Texts are counted after the answer, on a busy machine much later.
async function quiet(isRecorded: () => boolean): Promise<void> {
  let entries = -1;
  await eventually("an end of all work", async () => {
    await Bun.sleep(300);
    const before = entries;
    entries = tree.entriesSince(0).flat().length;
    return entries === before && isRecorded();
  });
}

/** The tokenizer enters itself for each piece of a text. */
function isCounted(file: string): boolean {
  return !file.startsWith("src/tokens/tokenizer/");
}

describe("one call", () => {
  const rows = [
    ["answered", [], 45],
    ["refused", ["--budget", "echo=1"], 45],
  ] as const;
  for (const [outcome, flags, filesMax] of rows) {
    test(`${outcome}: at most ${filesMax} files`, async () => {
      const command = tree.command("run", ...flags, "--", ...fixture("honest"));
      await using session = bare(command, { env: tree.env });
      await session.ask(initialize());
      await session.send(notification("notifications/initialized"));
      await session.ask(request("list", "tools/list"));
      await session.ask(call("first", "echo", { text: "hello" }));
      const { files, switches } = await follow(
        () => session.ask(call("second", "echo", { text: "hello again" })),
        () => (session.records("definitions").length > 0 ? session.records("call").length : 0),
      );
      expect(session.records("call").map((record) => record["outcome"])).toEqual(
        Array.from({ length: 2 }, () => (outcome === "answered" ? "ok" : outcome)),
      );
      expect([...files].toSorted()).toSatisfy(({ length }) => length > 20 && length <= filesMax);
      expect(switches).toBeLessThan(500);
    });
  }

  test("through serve: at most 70 files", async () => {
    const tool = { name: "echo", inputSchema: { type: "object" } };
    using server = await RawHttpServer.start(({ message }) => {
      const result = { tools: [tool], content: [{ type: "text", text: "hello" }] };
      const text = JSON.stringify({ jsonrpc: "2.0", id: message?.["id"], result });
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n`;
      return { parts: [head + text] };
    });
    using home = new Folder();
    const command = tree.command("serve", "--url", server.url);
    using served = new StartedProcess(command, {
      ...tree.env,
      HOME: home.path,
      XDG_STATE_HOME: home.path,
    });
    const url = await served.firstLine();
    const send = async (message: object): Promise<string> => {
      const headers = { "content-type": "application/json", accept: "application/json" };
      return (await fetch(url, { method: "POST", headers, body: JSON.stringify(message) })).text();
    };
    await send(initialize());
    await send(request("list", "tools/list"));
    await send(call("first", "echo"));
    const { files, switches } = await follow(() => send(call("second", "echo")));
    expect([...files].toSorted()).toSatisfy(({ length }) => length > 20 && length <= 70);
    expect(switches).toBeLessThan(500);
  });
});
