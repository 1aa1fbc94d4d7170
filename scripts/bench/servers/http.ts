import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  endpointPath,
  type EventsWanted,
  type LongWanted,
  progressEvent,
  sharedNowMs,
} from "../http/http-session.ts";
import { callAnswer, initializeAnswer, linePrefix, longAnswerLine } from "../messages.ts";

type ClientRequest = {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: Partial<LongWanted & EventsWanted> };
};

const json = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream", "cache-control": "no-cache" };
const writeBytes = 1024 * 1024;
const longAnswers = new Map<string, Buffer>();

const server = createServer((request, response) => {
  void readBody(request).then(async (body) =>
    request.method === "POST" ? answer(JSON.parse(body), response) : response.end(),
  );
});
// Keeps a connection open while other contestants take their turns.
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address !== "object") return;
  console.log(`http://127.0.0.1:${address?.port}${endpointPath}`);
});

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => void parts.push(part));
  await once(request, "end");
  return Buffer.concat(parts).toString();
}

async function answer(call: unknown, response: ServerResponse): Promise<void> {
  const { id, method, params } = call as ClientRequest;
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  if (method === "initialize") {
    const headers = { ...json, "mcp-session-id": randomUUID() };
    response.writeHead(200, headers);
    response.end(linePrefix + id + initializeAnswer.trimEnd());
    return;
  }
  const wanted = params?.arguments ?? {};
  if (wanted.bytes !== undefined) {
    await answerAtLength(response, findLongAnswer(id, wanted.bytes));
  } else if ("events" in wanted) await answerByEvents(response, id, wanted as EventsWanted);
  else response.writeHead(200, json).end(linePrefix + id + callAnswer);
}

function findLongAnswer(id: number, bytes: number): Buffer {
  const key = `${id} ${bytes}`;
  const line = longAnswers.get(key) ?? longAnswerLine(id, bytes);
  longAnswers.set(key, line);
  return line;
}

async function answerAtLength(response: ServerResponse, bytes: Buffer): Promise<void> {
  response.writeHead(200, json);
  for (let from = 0; from < bytes.length; from += writeBytes) {
    if (!response.write(bytes.subarray(from, from + writeBytes))) await once(response, "drain");
  }
  response.end();
}

async function answerByEvents(
  response: ServerResponse,
  id: number,
  wanted: EventsWanted,
): Promise<void> {
  response.writeHead(200, events);
  for (let at = 1; at <= wanted.events; at += 1) {
    response.write(progressEvent(id, at, sharedNowMs()));
    await Bun.sleep(wanted.everyMs);
  }
  response.end(`data: ${linePrefix}${id}${callAnswer}\n`);
}
