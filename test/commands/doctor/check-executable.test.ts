import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { checkExecutable } from "#commands/doctor/check-machine.ts";
import { version } from "#kit/version.ts";
import { Folder } from "../../support/folder.ts";
import { makeInstallation } from "./patient.ts";

function program(folder: Folder, script: string): string {
  const path = folder.file("mcp-meter", `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test("the executable on the PATH is the running one", async () => {
  using folder = new Folder();
  const executable = program(folder, "exit 1");
  const found = await checkExecutable(
    makeInstallation({ PATH: `/none:${folder.path}` }, { executable }),
  );
  expect(found).toEqual([
    { check: "executable", status: "ok", detail: `${executable}, version ${version}`, fix: null },
  ]);
});

test("none on the PATH; relative folders do not count", async () => {
  using folder = new Folder();
  program(folder, "echo 1.0.0");
  for (const PATH of ["", "/none", ".", "./bin"]) {
    expect(await checkExecutable(makeInstallation({ PATH }))).toMatchObject([
      {
        status: "warning",
        detail: expect.stringContaining("on the PATH, and neither is ~/.local/bin;"),
        fix: "mkdir -p ~/.local/bin && ln -s /own/mcp-meter ~/.local/bin/mcp-meter",
      },
    ]);
  }
});

test("another version on the PATH, whatever it prints", async () => {
  for (const [script, detail] of [
    [`echo ${version}`, "has the same version"],
    ["echo 9.9.9", `has version 9.9.9, not ${version}`],
    ["printf '\\033[31m'", "it prints no version"],
    ["exit 3", "it prints no version"],
    ["yes 1.0.0", "it prints no version"],
  ] as const) {
    using folder = new Folder();
    const path = program(folder, script);
    const [finding] = await checkExecutable(makeInstallation({ PATH: folder.path }));
    expect(finding).toMatchObject({ status: "warning", fix: `ln -sf /own/mcp-meter ${path}` });
    expect(finding?.detail).toContain(detail);
  }
});

test("the command of an npm package starts the executable of another one", async () => {
  using folder = new Folder();
  const executable = "/x/node_modules/@mcp-meter/mcp-meter-linux-x64/bin/mcp-meter";
  const path = program(folder, `echo ${version}`);
  const found = await checkExecutable(makeInstallation({ PATH: folder.path }, { executable }));
  const detail = `${path}, version ${version}: a script that starts ${executable}`;
  expect(found).toEqual([{ check: "executable", status: "ok", detail, fix: null }]);
  program(folder, "echo 9.9.9");
  const findings = await checkExecutable(makeInstallation({ PATH: folder.path }, { executable }));
  expect(findings).toMatchObject([{ status: "warning" }]);
});
