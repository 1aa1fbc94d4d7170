import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { checkFolders } from "#commands/doctor/check-folders.ts";
import { Folder } from "../../support/folder.ts";
import { makeInstallation } from "./patient.ts";

async function found(folder: Folder, told: Parameters<typeof makeInstallation>[1] = {}) {
  const findings = await checkFolders(makeInstallation({ XDG_STATE_HOME: folder.path }, told));
  const short = (text: string): string => text.replaceAll(folder.path, "STATE");
  return findings.map(({ check, status, detail, fix }) => {
    return `${check} ${status}: ${short(detail)}${fix === null ? "" : ` → ${short(fix)}`}`;
  });
}

function made(folder: Folder): void {
  mkdirSync(folder.at("mcp-meter", "sessions", "2026-09-01"), { recursive: true, mode: 0o700 });
}

test("a valid folder, and one that the first session creates", async () => {
  using folder = new Folder();
  expect((await found(folder))[0]).toBe(
    "state folder ok: STATE/mcp-meter; the first session creates it",
  );
  made(folder);
  const [state, disk] = await found(folder);
  expect(state).toBe("state folder ok: STATE/mcp-meter");
  expect(disk).toMatch(/^disk \w+: [\d.]+ \w?B free for STATE\/mcp-meter/);
});

test("no known state folder", async () => {
  expect(await checkFolders(makeInstallation({}))).toMatchObject([
    { status: "broken", fix: "export HOME=~" },
  ]);
});

test("permissions for others", async () => {
  using folder = new Folder();
  made(folder);
  chmodSync(folder.at("mcp-meter"), 0o755);
  expect(await found(folder)).toContain(
    "state folder warning: other users can read STATE/mcp-meter → chmod 700 STATE/mcp-meter",
  );
  chmodSync(folder.at("mcp-meter"), 0o777);
  expect(await found(folder)).toContain(
    "state folder broken: every user can write to STATE/mcp-meter → chmod 700 STATE/mcp-meter",
  );
  chmodSync(folder.at("mcp-meter"), 0o700);
  chmodSync(folder.file("mcp-meter/sessions/2026-09-01/a.ndjson", ""), 0o644);
  expect(await found(folder)).toContain(
    "state folder warning: other users have access to 1 of the files and folders in the state folder → chmod -R go= STATE/mcp-meter",
  );
  for (const name of ["imports", "import-cache", "backups"])
    mkdirSync(folder.at("mcp-meter", name), { mode: 0o755 });
  chmodSync(folder.file("mcp-meter/open-dash.html", ""), 0o644);
  expect(await found(folder)).toContain(
    "state folder warning: other users have access to 5 of the files and folders in the state folder → chmod -R go= STATE/mcp-meter",
  );
});

test.each([
  ["770", "warning: the group of STATE/mcp-meter can write to it → chmod 700 STATE/mcp-meter"],
  ["711", "warning: other users can enter STATE/mcp-meter → chmod 700 STATE/mcp-meter"],
  ["300", "broken: STATE/mcp-meter is not readable → chmod u=rwx STATE/mcp-meter"],
])("mode %s of the folder", async (mode, expected) => {
  using folder = new Folder();
  made(folder);
  chmodSync(folder.at("mcp-meter"), Number.parseInt(mode, 8));
  const findings = await found(folder);
  chmodSync(folder.at("mcp-meter"), 0o700);
  expect(findings).toContain(`state folder ${expected}`);
});

test("a link to a folder is accepted, and one to nothing is not", async () => {
  using folder = new Folder();
  symlinkSync(folder.at("elsewhere"), folder.at("mcp-meter"));
  expect((await found(folder))[0]).toStartWith("state folder broken: STATE/mcp-meter is a ");
  mkdirSync(folder.at("elsewhere"), { mode: 0o700 });
  expect((await found(folder))[0]).toBe("state folder ok: STATE/mcp-meter");
});

test("a link to nothing above the folder", async () => {
  using folder = new Folder();
  symlinkSync(folder.at("elsewhere"), folder.at("mcp-meter"));
  const below = { XDG_STATE_HOME: folder.at("mcp-meter", "state") };
  expect((await checkFolders(makeInstallation(below)))[0]).toMatchObject({
    status: "broken",
    detail: `${folder.at("mcp-meter/state/mcp-meter")} cannot be created: ${folder.at("mcp-meter")} is a link to nothing`,
  });
});

test("another owner", async () => {
  using folder = new Folder();
  made(folder);
  const findings = await found(folder, { uid: 12_345 });
  expect(findings).toContain(
    'state folder broken: STATE/mcp-meter belongs to another user → sudo chown -R "$(id -u)" STATE/mcp-meter',
  );
});

test("a file instead of the folder, and one in its path", async () => {
  using folder = new Folder();
  folder.file("mcp-meter", "");
  expect((await found(folder))[0]).toBe(
    "state folder broken: STATE/mcp-meter is a file, not a folder → mv STATE/mcp-meter STATE/mcp-meter.old".replace(
      "device",
      "file",
    ),
  );
  const below = { XDG_STATE_HOME: folder.at("mcp-meter") };
  expect(await checkFolders(makeInstallation(below))).toMatchObject([{ status: "broken" }]);
});
