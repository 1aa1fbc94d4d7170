import { Readable, Writable } from "node:stream";
import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { openStdin } from "#kit/os/standard-streams.ts";
import { writeAll } from "#kit/os/write-file.ts";
import { Teller } from "#kit/text/teller.ts";
import { serve, type ServedTool } from "#transport/mcp-server/serve.ts";
import { openPrices, readNamedPrices, type PriceOptions } from "../price-options.ts";
import { openTimeZone } from "../report/usage.ts";
import { adviceTool } from "./advice-tool.ts";
import { budgetsTool } from "./budgets-tool.ts";
import { QuestionQueue } from "./question-queue.ts";
import type { ToolContext } from "./tool-context.ts";
import { usageTool } from "./usage-tool.ts";

export type McpOptions = PriceOptions & {
  readonly timezone: string | undefined;
};

export async function serveMcp(options: McpOptions, io: Io): Promise<Ending> {
  // Throws for an unknown zone before anything is served.
  openTimeZone(options.timezone);
  const { tell } = new Teller(io.stderr);
  const prices = await openPrices(options, await readNamedPrices(options));
  const tools = queueAnswers({ timezone: options.timezone, prices, io, now: Date.now });
  const input = Readable.from(readStdin(), { objectMode: false });
  await serve(tools, { input, output: openStdout() }, tell);
  return { code: exitCodes.ok };
}

// Exported because packaging lists these tools in the manifest of each .mcpb bundle.
export const servedTools = [usageTool, budgetsTool, adviceTool];

function queueAnswers(context: ToolContext): readonly ServedTool[] {
  const queue = new QuestionQueue();
  return servedTools.map((tool) => ({
    ...tool,
    answer: (args, isWanted) => {
      const key = JSON.stringify([tool.name, args]);
      return queue.ask(key, isWanted, (isStillWanted) => tool.answer(args, context, isStillWanted));
    },
  }));
}

// `process.stdin` and `process.stdout` would make their descriptors non-blocking, even for other processes.
async function* readStdin(): AsyncGenerator<Buffer> {
  const reader = openStdin();
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return;
    yield Buffer.from(value);
  }
}

const stdoutFd = 1;

function openStdout(): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      void writeAll(stdoutFd, chunk).then((code) =>
        done(code === undefined ? null : Object.assign(new Error(code), { code })),
      );
    },
  });
}
