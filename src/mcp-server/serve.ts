import { sentences, UserError } from "#errors.ts";
import type { Tell } from "#text/teller.ts";
import { LineTransport, type ClientPipes } from "./line-transport.ts";
import { makeServer } from "./make-server.ts";
import { serveStdio } from "./sdk.ts";
import type { ServedTool } from "./served-tool.ts";

/** Serves tools to one client. Resolves when the client has left; `report` gets a sentence for each answer that fails by our fault. Throws UserError when a pipe fails. */
export async function serve(
  tools: readonly ServedTool[],
  pipes: ClientPipes,
  report: Tell,
): Promise<void> {
  const transport = new LineTransport(pipes);
  serveStdio(() => makeServer(tools, report), { transport });
  await transport.ended;
  const { fault } = transport;
  if (!fault) return;
  const { end, reason } = fault;
  throw new UserError(
    end === "stdin" ? sentences.stdinUnreadable(reason) : sentences.stdoutUnwritable(reason),
  );
}
