import { describe, expect, test } from "bun:test";
import { commands } from "#commands/index.ts";

describe("each command", () => {
  for (const [name, spec] of Object.entries(commands)) {
    test(`${name} has help, examples of itself, an exit code for mistakes, and a module`, async () => {
      expect(spec.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(spec.usage).toContain(name);
      expect(spec.examples.length).toBeGreaterThan(0);
      for (const [line] of spec.examples) {
        expect(line).toContain(name === "run" ? "mcp-meter" : `mcp-meter ${name}`);
      }
      expect(spec.usageExit).toBe(name === "run" ? 125 : 2);
      expect(await spec.load()).toBeFunction();
      for (const option of Object.keys(spec.options))
        expect(option).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    });
  }
});
