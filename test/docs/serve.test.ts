import { expect, test } from "bun:test";
import { serveCommand } from "#commands/serve/index.ts";
import { readWords } from "#commands/parse-command-line.ts";
import { codeBlocks, readDocument } from "./documents.ts";

const text = readDocument("docs/serve.md");
const [unit = ""] = codeBlocks(text, "ini");
const [agent = ""] = codeBlocks(text, "xml");

test("the unit of systemd and the agent of launchd run the same command, which serve reads", () => {
  const [, started = ""] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
  const [, list = ""] = /ProgramArguments<\/key>([^]*?)<\/array>/.exec(agent) ?? [];
  const words = [...list.matchAll(/<string>([^<]*)<\/string>/g)].map(([, word = ""]) => word);
  expect(words).toEqual(started.split(" "));
  const { flags, operands } = readWords(words.slice(2), serveCommand.options, "serve");
  serveCommand.check({ options: flags, operands, child: undefined });
  expect(flags).toMatchObject({ url: "https://example.com/mcp", port: "28859", server: "docs" });
});
