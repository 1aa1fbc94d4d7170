import { createHash } from "node:crypto";

export type Turn =
  | {
      readonly kind: "call";
      readonly name: string;
      readonly namespace?: string | undefined;
      readonly args: object;
    }
  | { readonly kind: "text"; readonly text: string };

export type ReadPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image" | "audio" | "file"; readonly data: string };

export type ReadDefinition = {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
};

export type ModelApi = {
  readonly isTurn: (path: string, body: unknown) => boolean;
  readonly reply: (turn: Turn, id: string, body: unknown) => Response;
  readonly answerOther: (path: string, body: unknown) => Response | undefined;
  readonly newestResults: (body: unknown) => readonly ReadPart[];
  readonly definitions: (body: unknown) => readonly ReadDefinition[];
  readonly texts: (body: unknown) => readonly string[];
};

export function eventStream(
  events: readonly { event?: string; data: object | "[DONE]" }[],
): Response {
  const lines = events.map(({ event, data }) => {
    const name = event === undefined ? "" : `event: ${event}\n`;
    return `${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
  });
  return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
}

export function hashToId(id: string, length: number): string {
  const digest = createHash("sha256").update(id).digest("base64url");
  return digest.replaceAll(/[-_]/g, "x").slice(0, length);
}
