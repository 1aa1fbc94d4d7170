/** Every line begins with the same bytes, so a server finds the id without parsing. */

export const linePrefix = '{"jsonrpc":"2.0","id":';
export const pingBytes = 300;

const answerText = "The meeting moved to Thursday at ten; the room is the same as last week.";
const protocolVersion = "2025-11-25";

export function pingLine(id: number): string {
  const head = `${linePrefix}${id},"method":"ping","params":{"_meta":{"example.com/pad":"`;
  const tail = '"}}}\n';
  return head + "x".repeat(pingBytes - head.length - tail.length) + tail;
}

export function callLine(id: number): string {
  return `${linePrefix}${id},"method":"tools/call","params":{"name":"look_up","arguments":{"query":"meeting ${id}"}}}\n`;
}

export function initializeLine(id: number): string {
  return `${linePrefix}${id},"method":"initialize","params":{"protocolVersion":"${protocolVersion}","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n`;
}

export const initializedLine = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

export function listLine(id: number): string {
  return `${linePrefix}${id},"method":"tools/list"}\n`;
}

export const callAnswer = `,"result":{"content":[{"type":"text","text":"${answerText}"}]}}\n`;
export const pingAnswer = ',"result":{}}\n';
export const listAnswer =
  ',"result":{"tools":[{"name":"look_up","description":"Looks up one appointment","inputSchema":{"type":"object","properties":{"query":{"type":"string"}}}}]}}\n';
export const initializeAnswer = `,"result":{"protocolVersion":"${protocolVersion}","capabilities":{"tools":{}},"serverInfo":{"name":"bench-server","version":"1"}}}\n`;

export function callAnswerLine(id: number): string {
  return linePrefix + id + callAnswer;
}

export function pingAnswerLine(id: number): string {
  return linePrefix + id + pingAnswer;
}

export function longAnswerLine(id: number, bytes: number): Buffer {
  const head = `${linePrefix}${id},"result":{"content":[{"type":"text","text":"`;
  const tail = '"}]}}\n';
  const line = Buffer.alloc(bytes, "long line ");
  line.write(head, 0);
  line.write(tail, bytes - tail.length);
  return line;
}

export function joinLines(line: (id: number) => string, from: number, to: number): Buffer {
  const lines: string[] = [];
  for (let id = from; id < to; id++) lines.push(line(id));
  return Buffer.from(lines.join(""));
}

export const floods: readonly { name: string; unit: string; kind?: "bytes" | "interim" }[] = [
  { name: "prose", unit: "The quick brown fox jumps over the lazy dog.\n" },
  { name: "newlines", unit: "\n" },
  { name: "braces", unit: "{\n" },
  { name: "comments", unit: ":\n" },
  { name: "`data:` lines", unit: "data:\n" },
  { name: "single bytes", unit: "x", kind: "bytes" },
  { name: "`100 Continue`", unit: "HTTP/1.1 100 Continue\r\n\r\n", kind: "interim" },
];

export function floodText(at: number, bytes: number): string {
  const { unit = "" } = floods[at] ?? {};
  return unit.repeat(bytes / unit.length);
}
