import { readFileSync } from "node:fs";
import { join } from "node:path";

const modulesFolder = join(import.meta.dir, "../../../node_modules");

const charactersMin = 400_000;

function makeRandomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

export function makeBenchTexts(): Map<string, string> {
  const prose = joinRandomParagraphs(
    ["fast-check", "re2js", "ajv", "zod", "ai-tokenizer", "gpt-tokenizer", "tiktoken"].map(
      (name) => `${name}/README.md`,
    ),
    "\n\n",
  );
  const code = joinRandomParagraphs(
    ["ai-tokenizer/dist/index.js", "ajv/dist/core.js", "yaml/dist/parse/parser.js"],
    "\n",
  );
  const results = makeToolResults(1);
  return new Map([
    ["mixed MCP payloads", makeMixedPayloads(prose, code)],
    ["prose", prose],
    ["JSON tool results", results],
    ["code", code],
    ["CJK", makeCjk()],
    ["base64", makeRandomBytes(charactersMin * 0.75).toString("base64")],
    ["hex", makeRandomBytes(charactersMin / 2).toString("hex")],
  ]);
}

function joinRandomParagraphs(paths: readonly string[], separator: string): string {
  const paragraphs = paths.flatMap((path) =>
    readFileSync(join(modulesFolder, path), "utf8").split(separator),
  );
  const random = makeRandomNumbers(7);
  const chosen: string[] = [];
  for (let length = 0; length < charactersMin;) {
    const paragraph = paragraphs[random() % paragraphs.length] ?? "";
    chosen.push(paragraph);
    length += paragraph.length + separator.length;
  }
  return chosen.join(separator).slice(0, charactersMin).replaceAll("<|", "<!");
}

function makeToolResults(seed: number): string {
  const random = makeRandomNumbers(seed);
  const words =
    "open closed review urgent docs build flaky release parser cache login export".split(" ");
  const word = () => words[random() % words.length] ?? "";
  const rows: string[] = [];
  for (let length = 0; length < charactersMin;) {
    const row = JSON.stringify({
      id: random(),
      node_id: Buffer.from(String(random())).toString("base64"),
      title: `${word()} ${word()}: ${word()} the ${word()} of ${word()}`,
      url: `https://api.example.com/repos/${word()}/${word()}/issues/${random() % 9999}`,
      state: word(),
      labels: [word(), word()],
      created_at: new Date(random() * 400).toISOString(),
      score: random() / 2 ** 32,
      assignee: random() % 3 === 0 ? null : { login: `${word()}-${word()}${random() % 99}` },
    });
    rows.push(row);
    length += row.length + 1;
  }
  return rows.join("\n");
}

function makeMixedPayloads(prose: string, code: string): string {
  const random = makeRandomNumbers(11);
  const rows = makeToolResults(2).split("\n");
  const pickExcerpt = (text: string, lengthMax: number) => {
    const at = random() % (text.length - lengthMax);
    return text.slice(at, at + (random() % lengthMax));
  };
  const lines: string[] = [];
  for (let length = 0; length < charactersMin;) {
    const texts = [
      () => JSON.stringify(rows.slice(random() % 50).slice(0, random() % 20)),
      () => pickExcerpt(prose, 3000),
      () => pickExcerpt(code, 3000),
      () => makeRandomBytes(random() % 200).toString("base64"),
    ];
    const text = (texts[random() % 11 === 0 ? 3 : random() % 3] ?? String)();
    const line = JSON.stringify({
      jsonrpc: "2.0",
      id: lines.length,
      result: { content: [{ type: "text", text }], isError: false },
    });
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join("\n");
}

function makeCjk(): string {
  const phrases =
    "今日は 天気が 良いので 公園を 散歩します。 服务器 返回了 结果， 请检查 日志 和 配置文件。 데이터베이스 연결을 확인해 주세요. 東京都 人口 一覧 更新 完了 错误 超时 重试 次数 メモリ 使用量 セッション 终止 检索 文档 검색 결과 목록 파일 수정".split(
      " ",
    );
  const random = makeRandomNumbers(3);
  const chosen: string[] = [];
  for (let length = 0; length < charactersMin / 2;) {
    const phrase = phrases[random() % phrases.length] ?? "";
    chosen.push(phrase);
    length += phrase.length;
  }
  return chosen.join("");
}

function makeRandomBytes(length: number): Buffer {
  const random = makeRandomNumbers(5);
  return Buffer.from(Array.from({ length: Math.floor(length) }, () => random() & 255));
}

export const makeBombs: Readonly<Record<string, (bytes: number) => string>> = {
  "one letter": (bytes) => "a".repeat(bytes),
  "one symbol": (bytes) => "=".repeat(bytes),
  spaces: (bytes) => " ".repeat(bytes),
  newlines: (bytes) => "\n".repeat(bytes),
  "one Hangul syllable": (bytes) => "가".repeat(bytes / 3),
  "one emoji": (bytes) => "😀".repeat(bytes / 4),
  "random letters": (bytes) => makeScattered(bytes, 0x61, 26),
  "random Hangul": (bytes) => makeScattered(bytes / 3, 0xac00, 11_172),
  "random emoji": (bytes) => makeScattered(bytes / 4, 0x1f600, 80),
  "random Chinese": (bytes) => makeScattered(bytes / 3, 0x4e00, 20_000),
  "prose without spaces": (bytes) =>
    (makeBenchTexts().get("prose") ?? "")
      .replaceAll(/[^a-z]/g, "")
      .repeat(4)
      .slice(0, bytes),
  "ragged rules": (bytes) => makeRagged(bytes, "=", "-"),
  "ragged blank lines": (bytes) => makeRagged(bytes, " ", "\n"),
  "ragged letters": (bytes) => makeRagged(bytes, "a", "b"),
};

function makeRagged(bytes: number, character: string, last: string): string {
  const random = makeRandomNumbers(13);
  const runs: string[] = [];
  for (let length = 0; length < bytes; length += runs.at(-1)?.length ?? 0) {
    runs.push(character.repeat(random() % 64) + last);
  }
  return runs.join("").slice(0, bytes);
}

function makeScattered(length: number, first: number, range: number): string {
  const random = makeRandomNumbers(9);
  return Array.from({ length: Math.floor(length) }, () =>
    String.fromCodePoint(first + (random() % range)),
  ).join("");
}
