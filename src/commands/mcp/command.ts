import { Readable, Writable } from "node:stream";
import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { serve } from "#transport/mcp-server/serve.ts";
import { openStdin } from "#kit/os/stdin.ts";
import { writeAll } from "#kit/os/write-all.ts";
import { Teller } from "#kit/text/teller.ts";
import { openPrices, readNamedPrices } from "../price-options.ts";
import { zoneNamed } from "../report/usage.ts";
import type { McpOptions } from "./options.ts";
import type { ServedArguments, ServedTool } from "#transport/mcp-server/served-tool.ts";
import { adviceTool, answerAdvice } from "./advice-tool.ts";
import { answerBudgets, budgetsTool } from "./budgets-tool.ts";
import { type IsWanted, QuestionQueue } from "./question-queue.ts";
import type { ToolSetting } from "./tool-setting.ts";
import { answerUsage, usageTool } from "./usage-tool.ts";

const stdoutFd = 1;

/** Serves MCP on stdin and stdout until the client leaves. Throws UserError for an unknown time zone, for prices that cannot be read, and when a pipe fails. */
export async function mcp(options: McpOptions, io: Io): Promise<Ending> {
  zoneNamed(options.timezone);
  const { tell } = new Teller(io.stderr);
  const prices = await openPrices(options, await readNamedPrices(options));
  const tools = makeTools({ timezone: options.timezone, prices, io, now: Date.now });
  const input = Readable.from(readStdin(), { objectMode: false });
  await serve(tools, { input, output: openStdout() }, tell);
  return { code: exitCodes.ok };
}

// The runtime's own streams make the descriptors, which other processes share, non-blocking.

async function* readStdin(): AsyncGenerator<Buffer> {
  const reader = openStdin();
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return;
    yield Buffer.from(value);
  }
}

function openStdout(): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      void writeAll(stdoutFd, chunk).then((code) =>
        done(code === undefined ? null : Object.assign(new Error(code), { code })),
      );
    },
  });
}

type Answer = (args: ServedArguments, setting: ToolSetting, isWanted: IsWanted) => Promise<string>;

function makeTools(setting: ToolSetting): readonly ServedTool[] {
  const queue = new QuestionQueue();
  const queued = (tool: Omit<ServedTool, "answer">, answer: Answer): ServedTool => ({
    ...tool,
    answer: (args, isWanted) => {
      const key = JSON.stringify([tool.name, args]);
      return queue.ask(key, isWanted, (isStillWanted) => answer(args, setting, isStillWanted));
    },
  });
  return [
    queued(usageTool, answerUsage),
    queued(budgetsTool, answerBudgets),
    queued(adviceTool, answerAdvice),
  ];
}
