import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type MadeAnswer = { readonly text: string; readonly native: number };

const outputTokens = 60;

const madeSession = "11111111-aaaa-4aaa-8aaa-222222222222";

export function writeClaudeLog(
  home: string,
  model: string,
  answers: readonly MadeAnswer[],
  session = madeSession,
): void {
  const folder = join(home, ".claude/projects/-work-demo");
  mkdirSync(folder, { recursive: true });
  const lines = [...answers.entries()].flatMap(([index, answer]) => {
    const size = sizeBefore(answers, index);
    const cached = index === 0 ? 0 : sizeBefore(answers, index - 1);
    return [asking(index, { model, size, cached }), answering(index, answer.text)];
  });
  const last = answers.length;
  const end = { model, size: sizeBefore(answers, last), cached: sizeBefore(answers, last - 1) };
  writeFileSync(
    join(folder, `${session}.jsonl`),
    [...lines, asking(last, end)]
      .map((line) => `${JSON.stringify({ ...line, sessionId: session })}\n`)
      .map((line) => (session === madeSession ? line : renameIds(line, session)))
      .join(""),
  );
}

function renameIds(line: string, session: string): string {
  return line.replaceAll(/"(msg|req|toolu|line)[_-]/g, `$&${session.slice(0, 4)}`);
}

function sizeBefore(answers: readonly MadeAnswer[], index: number): number {
  return answers.slice(0, index).reduce((size, { native }) => size + native + outputTokens, 10_000);
}

function lineAt(index: number, seconds: number) {
  const ts = new Date(Date.UTC(2026, 2, 14, 9, 0, index * 10 + seconds)).toISOString();
  return {
    uuid: `line-${index}-${seconds}`,
    timestamp: ts,
    version: "2.1.330",
    isSidechain: false,
  };
}

function asking(
  index: number,
  { model, size, cached }: { model: string; size: number; cached: number },
) {
  const usage = {
    input_tokens: 3,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: size - cached - 3,
    output_tokens: outputTokens,
  };
  const use = {
    type: "tool_use",
    id: `toolu_${index}`,
    name: "mcp__docs__search",
    input: { q: "x" },
  };
  return {
    ...lineAt(index, 0),
    type: "assistant",
    requestId: `req_${index}`,
    message: { id: `msg_${index}`, model, role: "assistant", usage, content: [use] },
  };
}

function answering(index: number, text: string) {
  const result = {
    type: "tool_result",
    tool_use_id: `toolu_${index}`,
    content: [{ type: "text", text }],
  };
  return { ...lineAt(index, 2), type: "user", message: { role: "user", content: [result] } };
}
