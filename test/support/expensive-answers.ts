/** 6,000 characters that are 1,200 tokens of o200k. */
const words = "word ".repeat(1_200);
const base64 = Buffer.from("one of the bytes that nobody reads".repeat(200)).toString("base64");
const digits = "123456789".repeat(445).slice(0, 4_001);
const link = { type: "resource_link", uri: "file:///a", name: "a" };
const data = { data: base64, mimeType: "audio/wav" };

const blocks: { readonly [name: string]: object } = {
  "link-title": { ...link, title: words },
  "link-type": { ...link, mimeType: words },
  "link-meta": { ...link, _meta: { a: { b: words } } },
  "link-icons": { ...link, icons: Array.from({ length: 100 }, () => ({ src: "" })) },
  "link-to-cjk": { ...link, uri: `file:///${"天気".repeat(25)}` },
  "link-of-quotes": { ...link, description: '"'.repeat(250) },
  "resource-type": { type: "resource", resource: { uri: "file:///a", text: "a", mimeType: words } },
  "resource-blob": { type: "resource", resource: { uri: "file:///a", blob: base64 } },
  "resource-meta": {
    type: "resource",
    resource: { uri: "file:///a", text: "a", _meta: { words } },
  },
  audio: { type: "audio", ...data },
  "image-text": { type: "image", ...data, mimeType: "image/png" },
  "text-meta": { type: "text", text: "a", _meta: { words } },
  "text-annotations": { type: "text", text: "a", annotations: { audience: ["user"], words } },
  "text-of-escapes": { type: "text", text: "\u0001".repeat(150) },
  unknown: { type: "words", words: [[[words]]] },
};

const content = '"content":[{"type":"text","text":"a"}]';
const numbers = (number: string, times: number): string =>
  `{${content},"structuredContent":{"n":[${Array<string>(times).fill(number).join(",")}]}}`;

function twin(structuredContent: object): string {
  const text = JSON.stringify(structuredContent);
  return JSON.stringify({ content: [{ type: "text", text }], structuredContent });
}

/** Results as text whose most expensive reading is far above 300 tokens, by what is dear in them. */
const expensiveBlocks: { readonly [name: string]: string } = {
  ...Object.fromEntries(
    Object.entries(blocks).map(([name, block]) => [name, JSON.stringify({ content: [block] })]),
  ),
  "many-links": JSON.stringify({ content: Array.from({ length: 20 }, () => link) }),
  "no-content, and a task": JSON.stringify({
    task: { taskId: "t", status: "working" },
    toolResult: words,
  }),
  "no-content": JSON.stringify({ toolResult: 1, _meta: { words } }),
  "empty-blocks": JSON.stringify({ content: Array.from({ length: 50 }, () => ({})) }),
  "wrong-icons": JSON.stringify({ content: [{ ...link, icons: Array<number>(40).fill(1) }] }),
  "wrong-annotations": JSON.stringify({
    content: [{ type: "text", text: "a", annotations: { audience: ["nobody"] } }],
  }),
  "error-data": JSON.stringify({ content: [{ ...link, description: words }], isError: true }),
};

export const expensiveNumbers: { readonly [name: string]: string } = {
  "long-integers": numbers(digits, 10),
  floats: numbers("1.0", 100),
  "not-a-number": numbers("-Infinity", 130),
  exponents: numbers("1e15", 60),
  "twin-integers": `{"content":[{"type":"text","text":"{\\"n\\":[null]}"}],"structuredContent":{"n":[${digits}]}}`,
  "twin-list": twin({ n: Array.from({ length: 120 }, (_, at) => at % 10) }),
  "structured-marks": `{${content},"structuredContent":{"a":"${"<&>".repeat(60)}"}}`,
  "structured-cjk": `{${content},"structuredContent":{"a":"${"天気".repeat(70)}"}}`,
  cjk: JSON.stringify({ content: [{ type: "text", text: "天気".repeat(70) }] }),
};

export const expensiveResults: { readonly [name: string]: string } = {
  ...expensiveBlocks,
  ...expensiveNumbers,
};
