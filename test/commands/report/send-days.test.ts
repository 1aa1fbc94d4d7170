import { afterEach, beforeEach, expect, test } from "bun:test";
import { sendDays } from "#commands/report/send-days.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../../support/made-records.ts";
import { freePort } from "../../support/free-port.ts";
import { openBackend, type OtlpBackend } from "../../support/otlp-backend.ts";
import { eventually } from "../../support/wait.ts";

let folder: Folder;
let backend: OtlpBackend;

beforeEach(() => {
  folder = new Folder();
  backend = openBackend();
});

afterEach(async () => {
  await backend.close();
  folder[Symbol.dispose]();
});

const nowMs = Date.parse("2026-09-03T12:00:00Z");
const all = { servers: [], tools: [], clients: [] };

const days = [
  sessionRecord(),
  definitionsRecord({ seq: 1, total_tokens: 300, resident_tokens: 300 }),
  callRecord({ seq: 2, ts: "2026-09-01T12:00:00.000Z" }),
  callRecord({ seq: 3, ts: "2026-09-02T01:00:00.000Z", output_tokens: 5 }),
  callRecord({ seq: 4, ts: "2026-09-03T01:00:00.000Z", output_tokens: 7 }),
];

/** Sends these records; returns what was printed. */
async function send(told: Partial<Parameters<typeof sendDays>[0]> = {}): Promise<string> {
  const file = folder.file("a.ndjson", days.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const { io, stderr, stdout } = fakeIo({ env: { XDG_STATE_HOME: folder.path } });
  const sending = {
    url: backend.url,
    range: { since: undefined, until: undefined },
    filters: all,
    ...told,
  };
  const ending = await sendDays(sending, { files: [file], timezone: "UTC" }, io, nowMs);
  expect(ending).toEqual({ code: 0 });
  expect(stdout()).toBe("");
  return stderr();
}

const sent = (): string[] =>
  backend
    .points("mcp_meter.day.tokens")
    .map(({ endMs, attributes, value }) =>
      [new Date(endMs).toISOString().slice(0, 10), ...Object.values(attributes), value].join(" "),
    );

test("each whole day has the tokens of its calls and definitions, at its beginning", async () => {
  expect(await send()).toBe("mcp-meter: Sent 5 values of 2 days\n");
  expect(sent().toSorted()).toEqual([
    "2026-09-01 definitions 300",
    "2026-09-01 tools/call search arguments 10",
    "2026-09-01 tools/call search result 100",
    "2026-09-02 tools/call search arguments 10",
    "2026-09-02 tools/call search result 5",
  ]);
  const [point] = backend.points("mcp_meter.day.tokens");
  expect(point).toMatchObject({
    kind: "gauge",
    resource: { "mcp_meter.server": "garden", "mcp_meter.client": "host" },
  });
  expect(point?.resource["service.instance.id"]).toMatch(/^[0-9a-f]{64}$/);
});

test("to send again sends the same values at the same times", async () => {
  await send();
  const first = backend.requests.map(({ points }) => points);
  await send();
  expect(backend.requests.slice(first.length).map(({ points }) => points)).toEqual(first);
});

test("a period, and names", async () => {
  await send({ range: { since: "2026-09-02", until: undefined } });
  expect(sent()).toHaveLength(2);
  const nothing = await send({ filters: { ...all, tools: ["other"] } });
  expect(nothing).toBe(
    "mcp-meter: No whole days with records to send; those of today can be sent tomorrow\n",
  );
});

test("a backend that refuses them ends the command with 1, without its address", async () => {
  const { url } = backend;
  await backend.close();
  backend = openBackend(() => new Response("", { status: 404 }));
  const failure = await send({ url: backend.url.replace("//", "//me:secret@") }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ message: "Cannot send the days: HTTP 404", exitCode: 1 });
  expect(String(failure)).not.toContain(url);
});

test("a refused connection is reported at once, and again when nothing has listened for some time", async () => {
  const { io, stderr } = fakeIo({ env: { XDG_STATE_HOME: folder.path } });
  const file = folder.file("a.ndjson", days.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const sending = {
    url: `http://127.0.0.1:${freePort()}`,
    range: { since: undefined, until: undefined },
    filters: all,
  };
  const failing = sendDays(sending, { files: [file], timezone: "UTC" }, io, nowMs);
  const failure = failing.catch((error: unknown) => error);
  await eventually("the line", () => stderr() !== "");
  expect(stderr()).toBe(
    "mcp-meter: The connection to the backend was refused; trying for 3 seconds\n",
  );
  expect(await failure).toMatchObject({
    message: "Cannot send the days: the connection was refused",
    exitCode: 1,
  });
});
