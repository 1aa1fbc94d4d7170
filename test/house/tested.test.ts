import { expect, test } from "bun:test";
import { sourcesAreTested } from "./law.ts";
import { readHouse } from "./tree.ts";

/** Files without a test of their own name, each with what holds it instead. */
const untested: Readonly<Record<string, string>> = {
  "src/commands/run/command.ts": "wires a session: every story of test/e2e",
  "src/commands/run/session.ts": "wires a session: every story of test/e2e",
  "src/mcp-client/server-transport.ts":
    "types, which test/mcp-client/stdio-transport.test.ts and http-transport.test.ts hold",
  "src/budgets/decision.ts": "types, and two decisions that test/budgets/gate.test.ts meets",
  "src/session/drafting.ts":
    "a switch between drafts: test/session/recorder.test.ts counts each kind",
  "src/commands/run/index.ts": "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/report/index.ts":
    "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/count/index.ts": "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/profile/index.ts":
    "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/lock/index.ts": "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/check/index.ts": "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/record/index.ts":
    "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/record/command.ts": "wires a session: test/e2e/record.test.ts",
  "src/commands/budgets/index.ts":
    "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/config/index.ts":
    "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/config/command.ts": "prints a report: test/e2e/config.test.ts",
  "src/commands/prune/index.ts": "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/prune/command.ts": "removes real files: test/e2e/prune.test.ts",
  "src/commands/wrap/index.ts": "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/unwrap/index.ts":
    "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/doctor/index.ts":
    "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/wrap/served-in-file.ts":
    "reads notes and settings: test/commands/doctor/check-served.test.ts",
  "src/commands/doctor/command.ts": "examines a real home: test/e2e/doctor.test.ts",
  "src/clients/client-settings.ts": "types, which every row of src/clients/index.ts has",
  "src/clients/ids.ts": "a list, each id of which test/clients/contract.test.ts goes through",
  "src/clients/index.ts": "a table, each row of which test/clients/contract.test.ts holds",
  "src/commands/doctor/finding.ts": "makes findings: every test of test/commands/doctor",
  "src/commands/import/index.ts":
    "a command's help, which test/commands/index.test.ts goes through",
  "src/records/imported-record.ts":
    "types of records, which test/imports/records/conversation-records.test.ts holds against the schema",
  "src/commands/import/save-records.ts": "writes real files: test/e2e/import.test.ts",
  "src/commands/validate/index.ts":
    "connects the options: test/commands/index.test.ts and test/e2e/validate.test.ts",
  "src/commands/validate/command.ts": "reads real logs: test/e2e/validate.test.ts",
  "src/commands/import/command.ts": "reads real logs: test/e2e/import.test.ts",
  "src/commands/mcp/index.ts": "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/metrics/index.ts":
    "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/mcp/command.ts": "serves a real client: test/e2e/mcp.test.ts",
  "src/commands/completion/index.ts":
    "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/completion/bash.ts":
    "a script, which a real bash runs in test/e2e/completion.test.ts",
  "src/commands/completion/zsh.ts":
    "a script, which a real zsh runs in test/e2e/completion.test.ts",
  "src/commands/completion/fish.ts":
    "a script, which a real fish runs in test/e2e/completion.test.ts",
  "src/dash/page/plot.ts": "draws in a real browser: test/e2e/dash.test.ts",
  "src/dash/page/state.ts": "connects a real page: test/e2e/dash.test.ts",
  "src/dash/page/parts/use-narrow.ts": "follows the width of a real window: test/e2e/dash.test.ts",
  "src/dash/page/parts/use-width.ts": "measures a real page: test/e2e/dash.test.ts",
  "src/commands/dash/index.ts": "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/dash/command.ts": "serves a real browser: test/e2e/dash.test.ts",
  "src/commands/serve/index.ts": "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/serve/command.ts": "serves real clients: test/e2e/serve.test.ts",
  "src/commands/tail/index.ts": "a command's help, which test/commands/index.test.ts goes through",
  "src/commands/tail/command.ts": "follows real sessions: test/e2e/tail.test.ts",
  "src/commands/tail/call-printer.ts": "prints to a real output: test/e2e/tail.test.ts",
  "src/commands/run/pass-through.ts": "becomes another program: test/e2e/config.test.ts",
  "src/makers/maker.ts": "types, and a reading that the tests of both makers meet",
  "src/records/record.ts": "types, and a version that test/pins/records.test.ts pins",
  "src/os/close-quietly.ts": "closes what may be closed: test/faults/lifecycle.test.ts",
  "src/proxy/upstream.ts": "moves real bytes: test/e2e/bytes.test.ts and test/faults",
  "src/proxy/pump-forwarding.ts":
    "wires real pipes: test/faults and test/e2e, once with this forwarder",
  "src/proxy/thread-forwarding.ts":
    "wires a thread: test/e2e/forwarder.test.ts, test/e2e/bytes.test.ts and test/faults",
  "src/lock/drift/schema-changes.ts":
    "walks two schemas: the tables of test/lock/drift/definition-changes.test.ts",
  "src/lock/drift/definition-change.ts":
    "a change and its kind: the tables of test/lock/drift/definition-changes.test.ts",
  "src/lock/drift/branch-changes.ts":
    "compares branches: the tables of test/lock/drift/definition-changes.test.ts",
  "src/lock/drift/allowed-values.ts":
    "compares enum and type: the tables of test/lock/drift/definition-changes.test.ts",
  "src/lock/drift/named-changes.ts":
    "compares $defs: the tables of test/lock/drift/definition-changes.test.ts",
  "src/lock/drift/property-changes.ts":
    "compares properties: the tables of test/lock/drift/definition-changes.test.ts",
  "src/proxy/interpose.ts": "wires real pipes: test/e2e/bytes.test.ts and test/faults",
};

test("each source file has a test of its name", () => {
  expect(sourcesAreTested(readHouse(), untested)).toEqual([]);
});
