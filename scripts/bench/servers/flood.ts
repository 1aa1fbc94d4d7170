import { writeSync } from "node:fs";
import { createServer } from "node:net";
import { endpointPath, type FloodWanted } from "../http/http-session.ts";
import { callAnswer, floods, floodText, initializeAnswer, linePrefix } from "../messages.ts";

type ClientRequest = {
  readonly id?: number;
  readonly params?: { readonly arguments?: FloodWanted };
};

if (process.argv[2] === "1") serve();
else for await (const line of console) if (line !== "") answerOnPipe(JSON.parse(line));

function findFlood({ params }: ClientRequest) {
  const { flood = -1, bytes = 0 } = params?.arguments ?? {};
  return floods[flood] && { kind: floods[flood].kind, text: floodText(flood, bytes) };
}

function answerOnPipe(call: ClientRequest): void {
  if (call.id === undefined) return;
  const flood = findFlood(call);
  for (const part of flood?.kind === "bytes" ? flood.text : [flood?.text ?? ""]) write(part);
  write(flood ? `\n${linePrefix}${call.id}${callAnswer}` : linePrefix + call.id + initializeAnswer);
}

function write(text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch {
      Bun.sleepSync(1);
    }
  }
}

function serve(): void {
  const server = createServer((socket) => {
    let request = "";
    socket.on("data", (part: Buffer) => {
      request += part.toString("latin1");
      const [head = "", body] = request.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      request = "";
      socket.write(answerOverHttp(length === 0 ? {} : JSON.parse(body)));
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object")
      console.log(`http://127.0.0.1:${address?.port}${endpointPath}`);
  });
}

function answerOverHttp(call: ClientRequest): string {
  if (call.id === undefined) return "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n";
  const flood = findFlood(call);
  const type = `content-type: ${flood ? "text/event-stream" : "application/json"}`;
  const head = `HTTP/1.1 200 OK\r\n${type}\r\nmcp-session-id: 1\r\ntransfer-encoding: chunked\r\n\r\n`;
  if (!flood) return head + chunk(linePrefix + call.id + initializeAnswer) + chunk("");
  const { kind, text } = flood;
  const end = chunk(`\n\ndata: ${linePrefix}${call.id}${callAnswer}\n`) + chunk("");
  if (kind === "interim") return text + head + end;
  return head + (kind === "bytes" ? text.replaceAll("x", chunk("x")) : chunk(text)) + end;
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
