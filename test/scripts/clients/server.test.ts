// The server in front of real clients: its media are valid, and it answers as its tables say.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { execa } from "execa";
import { readAudio } from "#cost/media/audio.ts";
import { readImageSize } from "#cost/media/image-size.ts";
import { answerOf, answers, definitionTools } from "../../../scripts/clients/server/answers.ts";
import { png, wav } from "../../../scripts/clients/server/media.ts";
import { tools } from "../../../scripts/clients/server/tools.ts";

const ask = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

test("its image and its sound can be read", () => {
  expect(readImageSize(png(64, 48))).toEqual({ width: 64, height: 48 });
  expect(readAudio(wav(2))).toMatchObject({ seconds: 2 });
});

test("lists a tool for each kind of answer", () => {
  const names = tools.map(({ name }) => name);
  expect(names).toEqual([...Object.keys(answers), ...definitionTools]);
  for (const name of names) expect(JSON.stringify(answerOf(name))).not.toContain("Unknown tool");
  expect(answerOf("unknown")).toMatchObject({ error: { message: "Unknown tool unknown" } });
});

test("answers requests line by line, and ends with its stdin", async () => {
  const program = join(import.meta.dir, "../../../scripts/clients/server/main.ts");
  const input = [
    ask(0, "server/discover"),
    ask(1, "initialize", { protocolVersion: "2025-11-25" }),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
    ask(2, "tools/list"),
    ask(3, "tools/call", { name: "several_texts" }),
    ask(4, "tools/call", { name: "rpc_error" }),
  ].join("");
  const { stdout } = await execa(process.execPath, [program], { input });
  expect(stdout.split("\n").map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ id: 0, error: { code: -32_601, message: "Method not found" } }),
    expect.objectContaining({
      id: 1,
      result: expect.objectContaining({ protocolVersion: "2025-11-25" }),
    }),
    expect.objectContaining({ id: 2, result: { tools: JSON.parse(JSON.stringify(tools)) } }),
    { jsonrpc: "2.0", id: 3, ...answerOf("several_texts") },
    { jsonrpc: "2.0", id: 4, ...answerOf("rpc_error") },
  ]);
});
