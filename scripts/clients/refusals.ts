import { readArray, readMember, readString } from "#wire/json.ts";
import { execa } from "execa";
import { callArguments, type LaunchContext } from "./client.ts";
import type { ComparedRefusal } from "./document.ts";
import {
  makeMeteredCommand,
  findResultParts,
  runSession,
  sessionFolder,
  type Setting,
} from "./session.ts";

const budgets = { text: "text=0", long_15k: "long_15k=1000" };
const tools = Object.keys(budgets);
const set = "usual";

type RefusedSession = { readonly log: string; readonly refusals: readonly ComparedRefusal[] };

export async function playRefusals(
  setting: Setting,
  clientName: string,
): Promise<readonly RefusedSession[]> {
  return [
    await playRefusal(setting, clientName, "tool"),
    await playRefusal(setting, clientName, "rpc"),
  ];
}

async function playRefusal(
  setting: Setting,
  clientName: string,
  form: "tool" | "rpc",
): Promise<RefusedSession> {
  const { driver } = setting;
  const name = `refused-${form}`;
  const limits = Object.values(budgets).flatMap((budget) => ["--budget", budget]);
  const options = [...limits, "--error-form", form];
  const session = await runSession(setting, { name, set, tools, meterOptions: options });
  const silent = [...options, "--log", "off", "--summary", "off"];
  const folder = sessionFolder(setting, name);
  const server = makeMeteredCommand(setting, { folder, set, options: silent });
  const calls = tools.map((tool) => ({ tool, args: callArguments }));
  const texts = await collectRefusalTexts(server, clientName, calls);
  const refusals = tools.map((tool, at) => {
    const read = JSON.stringify(findResultParts(driver, session, tool));
    const text = JSON.stringify(texts[at] ?? "").slice(1, -1);
    return { tool, form, isVerbatim: text !== "" && read.includes(text) };
  });
  return { log: session.log, refusals };
}

async function collectRefusalTexts(
  server: LaunchContext["server"],
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
  const { stdout } = await execa(server.command, server.args, {
    input: input.join(""),
    reject: false,
  });
  const answers = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
  return calls.map((_, id) =>
    readAnswerText(answers.find((answer) => readMember(answer, "id") === id)),
  );
}

function readAnswerText(answer: unknown): string {
  const [block] = readArray(readMember(answer, "result"), "content");
  return readString(block, "text") ?? readString(answer, "error", "message") ?? "";
}
