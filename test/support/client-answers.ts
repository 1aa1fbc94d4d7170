export const capabilities = {
  roots: { listChanged: false },
  sampling: {},
  elicitation: { form: {} },
};

export const modelAnswer = {
  model: "test-model",
  role: "assistant" as const,
  content: { type: "text" as const, text: "Lisbon lies on seven hills." },
};

export const personAnswer = { action: "accept" as const, content: { city: "Lisbon" } };

export const rootsAnswer = { roots: [{ uri: "file:///project", name: "project" }] };
