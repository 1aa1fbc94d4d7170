const hostileNumbers = [
  -1,
  0.5,
  2 ** 60,
  1e308,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER - 1,
  253_402_300_799_999,
];

const hostile: readonly unknown[] = [
  "9",
  "",
  ...hostileNumbers,
  null,
  true,
  [],
  {},
  [[[[]]]],
  { type: { type: "x" } },
  "\u0000",
  "\uD800",
  "__proto__",
  "constructor",
  `${"x".repeat(255)}\u{1f600}`,
  "mcp__docs__",
  "line\u2028\nbreak",
  "x".repeat(100_000),
  "1970-13-45T99:99:99Z",
];

export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
}

export function mutated(text: string, isLines: boolean, random: (below: number) => number): Buffer {
  const one = (json: string): string => {
    try {
      return JSON.stringify(replaced(JSON.parse(json), random)).replaceAll("1e+308", "1e999");
    } catch {
      return json;
    }
  };
  if (!isLines) return Buffer.from(one(text));
  const lines = text.split("\n").map(one);
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  lines.splice(random(lines.length), 0, deep, "[]", "4", '{"__proto__":{"id":1}}');
  return Buffer.concat([
    Buffer.from(lines.join("\n")),
    Buffer.from([0x0a, 0xff, 0x00, 0xc0, 0x0a]),
  ]);
}

function replaced(value: unknown, random: (below: number) => number): unknown {
  if (typeof value === "number" && random(4) === 0) {
    return hostileNumbers[random(hostileNumbers.length)];
  }
  if (random(20) === 0) return hostile[random(hostile.length)];
  if (Array.isArray(value)) return value.map((element) => replaced(element, random));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => {
    const name = random(60) === 0 ? String(hostile[random(hostile.length)]) : key;
    return [name, replaced(member, random)];
  });
  return Object.fromEntries(members);
}
