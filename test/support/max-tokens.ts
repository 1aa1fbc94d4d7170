import { isObject } from "#wire/json.ts";

export function pythonDumps(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonDumps).join(", ")}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${pythonDumps(name)}: ${pythonDumps(member)}`,
    );
    return `{${members.join(", ")}}`;
  }
  const json = JSON.stringify(value) ?? "null";
  return Array.from({ length: json.length }, (_, at) => json.charCodeAt(at))
    .map((unit) =>
      unit > 0x7e || [60, 62, 38].includes(unit)
        ? `\\u${unit.toString(16).padStart(4, "0")}`
        : String.fromCharCode(unit),
    )
    .join("");
}

/** A block as Python's SDK writes it, with a null for each member that is not there. */
function whole(block: object): object {
  return { annotations: null, _meta: null, ...block };
}

export function maxTokensForTexts(
  texts: readonly string[],
  count: (text: string) => number,
): number {
  const each = texts.map((text) => {
    const block = whole({ type: "text", text });
    return Math.max(
      count(text),
      count(`${JSON.stringify(block)},`),
      count(`${pythonDumps(block)}, `),
    );
  });
  return each.reduce((sum, tokens) => sum + tokens, 0);
}

export function maxTokensForJson(
  value: unknown,
  count: (text: string) => number,
  isInner = false,
): number {
  const json = JSON.stringify(value);
  const inner = `{"type":"text","text":${JSON.stringify(json)}},`;
  return Math.max(
    count(`${json},`),
    count(`${pythonDumps(value)}, `),
    ...(isInner ? [count(inner), count(asAscii(inner))] : []),
  );
}

function asAscii(json: string): string {
  return json.replaceAll(
    /[^\0-~]|[<>&]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
