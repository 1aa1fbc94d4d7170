import type { Excess } from "#meter/budgets/decision.ts";
import { plainReader } from "./plain-reader.ts";
import { noRequestFacts } from "./readings.ts";

const saveAnswer = () => "/state/spills/s-1.json";

export function makeExcess(result: unknown, room: number, changes: Partial<Excess> = {}): Excess {
  const reader = plainReader(undefined);
  const request = noRequestFacts;
  return { result, request, room, spec: "echo=100", reader, saveAnswer, ...changes };
}

export function textsOf(result: unknown): string[] {
  const content: unknown = Reflect.get(Object(result), "content");
  return (Array.isArray(content) ? content : []).map((block) =>
    String(Reflect.get(Object(block), "text")),
  );
}
