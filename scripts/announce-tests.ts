// Says before the tests how long they take, and which of them cannot run on this machine.
import { probe, programs } from "../test/support/programs.ts";

const [name = "npm test", minutes = "6"] = process.argv.slice(2);
const found = programs.map((program) => ({ program, printed: probe(program) }));
const missing = found.filter(({ printed }) => printed === undefined).map(({ program }) => program);

console.log(`${name}: about ${minutes} minutes on two quiet cores`);
if (process.env["CI"]) {
  for (const { program, printed } of found) {
    console.log(`${name}: ${program}: ${printed?.split("\n")[0] ?? "missing"}`);
  }
} else if (missing.length > 0) {
  console.log(`${name}: skips the tests that need ${missing.join(", ")}`);
}
