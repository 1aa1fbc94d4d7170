import { expect, test } from "bun:test";
import { type Finding, buildDoctorDocument } from "#screens/renderers/documents/doctor.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";

function print(findings: readonly Finding[], color = false): string {
  const count = (status: Finding["status"]): number =>
    findings.filter((finding) => finding.status === status).length;
  const report = {
    schema_version: "1.0",
    meter_version: "0",
    broken: count("broken"),
    warnings: count("warning"),
    findings,
  } as const;
  return renderTerminal(buildDoctorDocument(report), { color });
}

const fine: Finding = { check: "disk", status: "ok", detail: "5 GB free", fix: null };

test("an installation in order has no commands below it", () => {
  expect(print([fine])).toBe(
    "Everything is in order\n\nstatus  check  finding\nok      disk   5 GB free\n",
  );
});

test("each problem has its command; one of several problems of a check is printed once", () => {
  const wrong: Finding = { check: "config", status: "broken", detail: "no", fix: "chmod 700 /x" };
  const text = print([fine, wrong, { ...wrong, status: "warning" }, { ...wrong, check: "disk" }]);
  expect(text).toStartWith("2 problems, 1 warning\n");
  expect(text).toEndWith("\n\nconfig  chmod 700 /x\ndisk    chmod 700 /x\n");
  expect(print([wrong], true)).toContain("\u001b[31mbroken\u001b[0m");
});

test("hostile details are made safe", () => {
  const hostile = { ...fine, detail: "\u001b[2J\n::error::", fix: "\u202e" };
  expect(print([hostile])).not.toContain("\u001b");
  expect(print([hostile])).not.toContain("\u202e");
});
