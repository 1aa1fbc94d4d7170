import { findModel, type Model, normalizeName } from "./models.ts";

// `isWindowKnown` is true if the client is known to use the context window that `findModel` returns for `stem`. Claude
// Code 2.1.332 does so for its default models, as measured. For Anthropic's other clients, this is unknown.
// `defaultModel` is the vendor's newest coding model in our price list.
const clientStems = [
  { stem: "codex", isWindowKnown: true, defaultModel: "gpt-6-sol" },
  { stem: "claude-code", isWindowKnown: true, defaultModel: "claude-opus-5-5" },
  { stem: "claude code", isWindowKnown: true, defaultModel: "claude-opus-5-5" },
  { stem: "claude", isWindowKnown: false, defaultModel: "claude-opus-5-5" },
  { stem: "gemini", isWindowKnown: true, defaultModel: "gemini-3.1-pro-preview" },
  { stem: "kimi", isWindowKnown: false, defaultModel: "kimi-k3" },
  { stem: "grok", isWindowKnown: false, defaultModel: "grok-build-0.1" },
];

export function findClientModel(rawName: string): Model | undefined {
  const row = findClientRow(rawName);
  const model = row && findModel(row.stem);
  return model && (row.isWindowKnown ? model : { family: model.family });
}

export function findDefaultModel(client: string): string | undefined {
  return findClientRow(client)?.defaultModel;
}

function findClientRow(rawName: string) {
  const name = normalizeName(rawName);
  return clientStems.find(({ stem }) => name.startsWith(stem));
}
