import type { Readable, Writable } from "node:stream";
import { sentences, UserError } from "#errors.ts";
import { errorCode } from "#os/error-code.ts";
import type { Tell } from "#text/teller.ts";
import { makeServer } from "./make-server.ts";
import { serveStdio, StdioServerTransport } from "./sdk.ts";
import type { ServedTool } from "./served-tool.ts";

/** Both ends of a connection to a client. */
type ClientPipes = { readonly input: Readable; readonly output: Writable };

/** System error codes of a client that has left. */
const leftCodes = new Set(["EPIPE", "ECONNRESET"]);

/** Serves tools to one client. Resolves when the client has left; `report` gets a sentence for each answer that fails by our fault. Throws UserError when a pipe fails. */
export async function serve(
  tools: readonly ServedTool[],
  { input, output }: ClientPipes,
  report: Tell,
): Promise<void> {
  // The transport adds a listener for each answer that waits for the client.
  output.setMaxListeners(0);
  const ended = Promise.withResolvers<void>();
  const transport = new StdioServerTransport(input, output);
  let lastError: Error | undefined;
  serveStdio(() => makeServer(tools, report), {
    transport,
    onerror: (error) => {
      lastError = error;
    },
  });
  const { onclose } = transport;
  const close = (): void => {
    onclose?.();
    ended.resolve();
  };
  Object.assign(transport, { onclose: close });
  await ended.promise;
  if (input.readableEnded || lastError === undefined) return;
  // The transport's own error: its buffer is full, and holds no whole line.
  if (!("code" in lastError)) throw new UserError(sentences.stdinUnreadable("a line is too long"));
  const reason = errorCode(lastError);
  if (leftCodes.has(reason)) return;
  throw new UserError(
    input.errored === null ? sentences.stdoutUnwritable(reason) : sentences.stdinUnreadable(reason),
  );
}
