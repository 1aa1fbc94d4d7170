import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

type ReceivedRequest = { readonly request: IncomingMessage; readonly body: Buffer };

export type ScriptedAnswer = (got: ReceivedRequest, response: ServerResponse) => void;

export async function startScriptedServer(answer: ScriptedAnswer) {
  const got: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => void parts.push(part));
    request.on("end", () => {
      const one = { request, body: Buffer.concat(parts) };
      got.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    got,
    server,
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
