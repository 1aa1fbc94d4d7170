import type { Random } from "../random.ts";
import { someJson, someLength, text } from "../texts.ts";

/** A PNG of one pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A block of a result. */
function block(random: Random): unknown {
  return random.weighted<() => unknown>([
    [8, () => ({ type: "text", text: text(random, someLength(random)) })],
    [1, () => ({ type: "image", data: pixel, mimeType: "image/png" })],
    [1, () => ({ type: "audio", data: "UklGRiQAAABXQVZFZm10IA==", mimeType: "audio/wav" })],
    [1, () => ({ type: "resource", resource: resource(random) })],
    [1, () => ({ type: "resource_link", uri: "file:///a", name: text(random, 20) })],
    [1, () => ({ type: "unheard-of", payload: someJson(random), _meta: { at: 1 } })],
    [0.3, () => someJson(random, 1)],
  ])();
}

function resource(random: Random): unknown {
  const uri = `file:///${random.between(1, 9)}`;
  return random.chance(0.7)
    ? { uri, text: text(random, someLength(random)) }
    : { uri, blob: pixel, mimeType: random.pick(["image/png", "application/pdf"]) };
}

/** The result of a tool. */
export function toolResult(random: Random): Readonly<Record<string, unknown>> {
  const blocks = Array.from({ length: random.between(0, 3) }, () => block(random));
  const structured = random.chance(0.25) ? { rows: someJson(random) } : undefined;
  const repeated = { type: "text", text: JSON.stringify(structured) };
  return {
    content: structured !== undefined && random.chance(0.5) ? [...blocks, repeated] : blocks,
    ...(structured !== undefined && { structuredContent: structured }),
    ...(random.chance(0.1) && { isError: true }),
    ...(random.chance(0.1) && { _meta: { note: text(random, 10) } }),
    ...(random.chance(0.05) && { unknownMember: someJson(random) }),
  };
}

/** The result of a method that a model pays for. */
export function resultOf(method: string, random: Random): Readonly<Record<string, unknown>> {
  if (method === "resources/read") return { contents: [resource(random)] };
  if (method === "prompts/get") return { messages: [{ role: "user", content: block(random) }] };
  if (random.chance(0.03)) return { unknownMember: someJson(random) };
  return toolResult(random);
}
