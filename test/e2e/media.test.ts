// A picture costs by its size in pixels, never by its bytes; what is said twice counts once.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { type Home, makeHome, recordsIn, runMeter } from "./run.ts";

let home: Home;

beforeEach(() => {
  home = makeHome();
});

afterEach(() => home.remove());

/** A grey PNG of noise, about a megabyte long and 1920 × 1080 pixels large. */
function megabytePng(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(1920, 0);
  header.writeUInt32BE(1080, 4);
  header[8] = 8;
  const data = deflateSync(randomBytes(1_000_000), { level: 0 });
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** The call record of one call by that client that is answered with this result. */
async function recordOf(client: string, result: object): Promise<Record<string, unknown>> {
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: client, version: "1" },
  };
  const asked = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: initialize },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "look", arguments: {} } },
  ];
  const serverInfo = { name: "pictures", version: "1" };
  const answered = [
    {
      jsonrpc: "2.0",
      id: 1,
      result: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo },
    },
    { jsonrpc: "2.0", id: 2, result },
  ];
  const file = join(home.path, "answers");
  writeFileSync(file, answered.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const input = asked.map((line) => `${JSON.stringify(line)}\n`).join("");
  const server = ["sh", "-c", 'read a; read b; cat "$1"', "sh", file];
  const run = await runMeter(home, ["--log", "-", "--summary", "off", "--", ...server], { input });
  const call = (await recordsIn(run.stderr)).find(({ type }) => type === "call");
  return call ?? {};
}

describe("a picture of a megabyte, 1920 × 1080", () => {
  const data = megabytePng().toString("base64");
  const picture = { content: [{ type: "image", mimeType: "image/png", data }] };
  for (const [client, tokens] of [
    ["claude-code", 2_691],
    ["codex-mcp-client", 2_448],
    ["gemini-cli-mcp-client", 1_100],
  ] as const) {
    test(`costs ${client} ${tokens} tokens, within 5 %`, async () => {
      const call = await recordOf(client, picture);
      const told = Number(call["output_tokens"]);
      expect(Math.abs(told - tokens) / tokens).toBeLessThan(0.05);
      expect(call["blocks"]).toMatchObject({ image: 1, text: 0 });
    });
  }
});

describe("text that says the same as structuredContent", () => {
  const rows = { rows: Array.from({ length: 40 }, (_, at) => ({ at, name: `row ${at}` })) };
  const twice = {
    content: [{ type: "text", text: JSON.stringify(rows, null, 2) }],
    structuredContent: rows,
  };
  for (const client of ["claude-code", "gemini-cli-mcp-client"]) {
    test(`is a duplicate and counts once for ${client}`, async () => {
      const call = await recordOf(client, twice);
      const [wire, visible, duplicate] = ["wire_tokens", "visible_tokens", "duplicate_tokens"].map(
        (name) => Number(call[name]),
      );
      expect(duplicate).toBeGreaterThan(100);
      expect(visible).toBeGreaterThan(100);
      expect(Number(visible)).toBeLessThan(Number(wire));
      expect(call["output_tokens"]).toBe(visible);
    });
  }
});
