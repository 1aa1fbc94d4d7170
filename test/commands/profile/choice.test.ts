import { expect, test } from "bun:test";
import { parseProfileChoice } from "#commands/profile/choice.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: undefined };

test("without --configured its options are refused, and a server is profiled", () => {
  const server = { ...args, child: ["x"] };
  expect(parseProfileChoice(server)).toMatchObject({ server: { server: { command: ["x"] } } });
  expect(parseProfileChoice({ ...args, options: { configured: true } })).toHaveProperty("setup");
  for (const option of ["yes", "project"]) {
    const options = { [option]: "true" };
    expect(thrownBy(() => parseProfileChoice({ ...server, options }))).toBe(
      `--${option} requires --configured`,
    );
  }
});
