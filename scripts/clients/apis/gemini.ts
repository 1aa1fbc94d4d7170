import { readArray, readMember, readString } from "#wire/json.ts";
import { eventStream, type ModelApi, type ReadPart, type Turn } from "./api.ts";

const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

export const geminiApi: ModelApi = {
  isTurn: (path, body) =>
    path.endsWith(":streamGenerateContent") && readDeclarations(body).length > 0,
  reply: (turn, id) => eventStream([{ data: response([makePart(turn)], id) }]),
  answerOther,
  newestResults: (body) => {
    const last = readArray(body, "contents").findLast(
      (content) => readString(content, "role") === "user",
    );
    const parts = readArray(last, "parts");
    const isAnswer = parts.some((part) => readMember(part, "functionResponse") !== undefined);
    return isAnswer ? parts.flatMap(readParts) : [];
  },
  definitions: (body) =>
    readDeclarations(body).map((tool) => ({
      name: readString(tool, "name") ?? "",
      description: readString(tool, "description") ?? "",
      schema: readMember(tool, "parametersJsonSchema") ?? readMember(tool, "parameters"),
    })),
  texts: (body) =>
    [readMember(body, "systemInstruction"), ...readArray(body, "contents")].flatMap((content) =>
      readArray(content, "parts").flatMap((part) => readString(part, "text") ?? []),
    ),
};

function readDeclarations(body: unknown): readonly unknown[] {
  return readArray(body, "tools").flatMap((tool) => readArray(tool, "functionDeclarations"));
}

function makePart(turn: Turn): object {
  if (turn.kind === "text") return { text: turn.text };
  return { functionCall: { name: turn.name, args: turn.args }, thoughtSignature: "c2ln" };
}

function response(parts: readonly object[], id: string): object {
  const candidate = { content: { role: "model", parts }, finishReason: "STOP", index: 0 };
  return { candidates: [candidate], usageMetadata, responseId: `resp_${id}` };
}

function answerOther(path: string, body: unknown): Response | undefined {
  if (path.endsWith(":countTokens")) {
    return Response.json({ totalTokens: Math.ceil(JSON.stringify(body).length / 4) });
  }
  if (!/:(?:stream)?[gG]enerateContent$/.test(path)) return undefined;
  const isJson = readString(body, "generationConfig", "responseMimeType") === "application/json";
  const choice = {
    reasoning: "r",
    model_choice: "flash",
    complexity_score: 1,
    complexity_reasoning: "r",
  };
  const aside = response([{ text: isJson ? JSON.stringify(choice) : "Aside" }], "aside");
  return path.endsWith(":generateContent") ? Response.json(aside) : eventStream([{ data: aside }]);
}

function readParts(part: unknown): readonly ReadPart[] {
  const data = readString(part, "inlineData", "data");
  if (data !== undefined)
    return [readMedium(data, readString(part, "inlineData", "mimeType") ?? "")];
  const text = readString(part, "text");
  if (text !== undefined) return [{ kind: "text", text }];
  const answer = readMember(part, "functionResponse", "response");
  const output = readString(answer, "output") ?? readString(answer, "error");
  const media = readArray(part, "functionResponse", "parts").flatMap(readParts);
  return [
    { kind: "text", text: output ?? (answer === undefined ? "" : JSON.stringify(answer)) },
    ...media,
  ];
}

function readMedium(data: string, mimeType: string): ReadPart {
  if (mimeType.startsWith("image/")) return { kind: "image", data };
  return { kind: mimeType.startsWith("audio/") ? "audio" : "file", data };
}
