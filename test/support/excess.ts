import type { Excess } from "#meter/budgets/decision.ts";
import { plainReader } from "./plain-reader.ts";
import { askedNothing } from "./readings.ts";

const saveAnswer = () => "/state/spills/s-1.json";

export function excessOf(result: unknown, room: number, told: Partial<Excess> = {}): Excess {
  const reader = plainReader(undefined);
  const request = askedNothing;
  return { result, request, room, spec: "echo=100", reader, saveAnswer, ...told };
}

export function textsOf(result: unknown): string[] {
  const content: unknown = Reflect.get(Object(result), "content");
  return (Array.isArray(content) ? content : []).map((block) =>
    String(Reflect.get(Object(block), "text")),
  );
}
