import { expect, test } from "bun:test";
import { Teller } from "#kit/text/teller.ts";
import { readHouse } from "../../house/tree.ts";

function record(isTerminal: boolean, act: (teller: Teller) => void): string {
  const written: string[] = [];
  act(new Teller({ isTerminal, write: (text) => written.push(text) }));
  return written.join("");
}

test("tell writes one line that begins with the program's name", () => {
  expect(record(false, ({ tell }) => tell("Cannot read it"))).toBe("mcp-meter: Cannot read it\n");
});

test("tell escapes everything that may move text on a screen, newlines included", () => {
  const hostile = "a\u001b[2J\nb\u202e";
  expect(record(true, ({ tell }) => tell(hostile))).toBe("mcp-meter: a\\u001b[2J\\u000ab\\u202e\n");
});

test("showProgress replaces its own line, and a sentence erases it first", () => {
  const erase = "\r\u001b[2K";
  const written = record(true, (teller) => {
    teller.showProgress("waiting for \u001bx, 1 s");
    teller.showProgress("waiting, 2 s");
    teller.tell("Done");
    teller.clearProgress();
  });
  expect(written).toBe(
    `${erase}mcp-meter: waiting for \\u001bx, 1 s${erase}mcp-meter: waiting, 2 s${erase}mcp-meter: Done\n`,
  );
});

test.each(["server ", "漢", "😀", "é"])(
  "showProgress keeps %j on one line of a terminal",
  (text) => {
    const written = record(true, (teller) => teller.showProgress(text.repeat(40)));
    expect(Bun.stringWidth(Bun.stripANSI(written))).toBeLessThanOrEqual(79);
  },
);

test("a question leaves the line open for its answer", () => {
  expect(record(false, (teller) => teller.ask("Go on\u001b?"))).toBe("mcp-meter: Go on\\u001b? ");
});

test("showProgress writes nothing where no terminal shows it", () => {
  const written = record(false, (teller) => {
    teller.showProgress("waiting");
    teller.clearProgress();
  });
  expect(written).toBe("");
});

const writers: Readonly<Record<string, string>> = {
  "src/cli.ts": "sentences, broken into lines",
  "src/kit/text/teller.ts": "sentences",
  "src/state/sinks/index.ts": "records, one JSON object per line",
  "src/kit/os/standard-streams.ts": "a rendered summary",
};

test("no other file writes to stderr", () => {
  const found = Object.entries(readHouse())
    .filter(([path, text]) => path.startsWith("src/") && /stderr\.write\(/.test(text))
    .map(([path]) => path);
  expect(found.toSorted()).toEqual(Object.keys(writers).toSorted());
});
