import { execa } from "execa";
import { memberAt, textAt, arrayAt } from "#wire/json.ts";
import type { Place } from "./client.ts";

/** The text that mcp-meter answers to each of these calls, for a client of that name, outside of any client. */
export async function refusedTexts(
  server: Place["server"],
  clientName: string,
  calls: readonly { readonly tool: string; readonly args: object }[],
): Promise<readonly string[]> {
  const clientInfo = { name: clientName, version: "1" };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const messages = [
    { id: "hello", method: "initialize", params: hello },
    { method: "notifications/initialized" },
    ...calls.map(({ tool, args }, id) => ({
      id,
      method: "tools/call",
      params: { name: tool, arguments: args },
    })),
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  // The exit code says that a budget was enforced.
  const { stdout } = await execa(server.command, server.args, {
    input: input.join(""),
    reject: false,
  });
  const answers = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
  return calls.map((_, id) => textOf(answers.find((answer) => memberAt(answer, "id") === id)));
}

function textOf(answer: unknown): string {
  const [block] = arrayAt(memberAt(answer, "result"), "content");
  return textAt(block, "text") ?? textAt(answer, "error", "message") ?? "";
}
