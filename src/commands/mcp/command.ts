import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { serve } from "#mcp-server/serve.ts";
import type { ChunkReader } from "#os/child.ts";
import { errorCode } from "#os/error-code.ts";
import { openStdin } from "#os/stdin.ts";
import { writeAll } from "#os/write-all.ts";
import { Teller } from "#text/teller.ts";
import { openPrices, readNamedPrices } from "../price-options.ts";
import { zoneNamed } from "../report/usage.ts";
import type { McpOptions } from "./options.ts";
import { makeTools } from "./tools.ts";

const stdoutFd = 1;

/**
 * Serves MCP on stdin and stdout until the client leaves. Throws UserError for an unknown
 * time zone, for prices that cannot be read, and when a pipe fails.
 */
export async function mcp(options: McpOptions, io: Io): Promise<Ending> {
  zoneNamed(options.timezone);
  const { tell } = new Teller(io.stderr);
  const prices = await openPrices(options, await readNamedPrices(options));
  const tools = makeTools({ timezone: options.timezone, prices, io, now: Date.now });
  await serve(tools, { input: openInput(), write: (bytes) => writeAll(stdoutFd, bytes) }, tell);
  return { code: exitCodes.ok };
}

function openInput(): ChunkReader {
  try {
    return openStdin();
  } catch (error) {
    throw new UserError(sentences.stdinUnreadable(errorCode(error)));
  }
}
