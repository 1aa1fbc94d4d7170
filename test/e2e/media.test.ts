import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, initialize } from "../support/rpc.ts";
import { pngOf } from "../support/png.ts";
import { makeHome, recordsIn, runMeter } from "./run.ts";

const lines = (all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join("");

test("a picture of a megabyte, 1920 × 1080, costs claude-code 2,691 tokens, within 5 %", async () => {
  const home = makeHome();
  const picture = Buffer.concat([
    Buffer.from(pngOf(1920, 1080), "base64"),
    randomBytes(1_000_000),
  ]).toString("base64");
  const content = [{ type: "image", mimeType: "image/png", data: picture }];
  const answers = [
    { jsonrpc: "2.0", id: "init", result: { protocolVersion: "2025-06-18", capabilities: {} } },
    { jsonrpc: "2.0", id: 1, result: { content } },
  ];
  const file = join(home.path, "answers");
  writeFileSync(file, lines(answers));
  const options = ["--as-client", "claude-code", "--log", "-", "--summary", "off"];
  const server = ["sh", "-c", 'read a; read b; cat "$1"', "sh", file];
  const input = lines([initialize(), call(1, "look")]);
  const { stderr } = await runMeter(home, [...options, "--", ...server], { input });
  home.remove();
  const record = (await recordsIn(stderr)).find(({ type }) => type === "call");
  expect(Math.abs(Number(record?.["output_tokens"]) / 2_691 - 1)).toBeLessThan(0.05);
  expect(record?.["blocks"]).toMatchObject({ image: 1, text: 0 });
});
