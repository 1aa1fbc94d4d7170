import { expect, test } from "bun:test";
import { Participants } from "#meter/session/participants.ts";
import { plainReader } from "../../support/plain-reader.ts";

const hello = (name: string, showsApps = false) =>
  ({
    era: "legacy",
    client: { name, version: "1" },
    protocolVersion: undefined,
    showsApps,
  }) as const;

function noted(mayBeShared = false): {
  participants: Participants;
  chosen: Set<string | undefined>;
} {
  const chosen = new Set<string | undefined>();
  const readerFor = (client: string | undefined) => {
    chosen.add(client);
    return plainReader(client);
  };
  return { participants: new Participants({ readerFor, mayBeShared }), chosen };
}

test("the reader is chosen when it is asked for, and again only for another client", () => {
  const { participants, chosen } = noted();
  expect(chosen.size).toBe(0);
  const ids = [undefined, "claude-code", "claude-code", "Zed"].map((name) => {
    if (name !== undefined) participants.meetClient(hello(name));
    return participants.reader.profile.recordedAs;
  });
  expect([...chosen]).toEqual([undefined, "claude-code", "Zed"]);
  expect(ids.slice(0, 3)).toEqual(["content-first", "structured-first", "structured-first"]);
});

test("a fixed reader stays when its client takes another name", () => {
  const { participants, chosen } = noted();
  participants.meetClient(hello("Zed"));
  const fixed = participants.freezeReader();
  expect(participants.meetClient(hello("claude-code"))).toBe(false);
  expect([participants.reader, [...chosen]]).toEqual([fixed, ["Zed"]]);
  expect(participants.introductions.client?.name).toBe("claude-code");
});

test("a client that names itself late is read by its own profile, counted as before", () => {
  const { participants } = noted();
  const fixed = participants.freezeReader();
  expect(participants.meetClient({ ...hello("x"), client: undefined })).toBe(false);
  expect(participants.meetClient(hello("claude-code"))).toBe(true);
  const { profile, ...rest } = participants.reader;
  expect([fixed.profile.recordedAs, profile.recordedAs]).toEqual([
    "content-first",
    "structured-first",
  ]);
  expect({ ...rest, profile: fixed.profile }).toEqual(fixed);
  expect(participants.meetClient(hello("Zed"))).toBe(false);
  expect(participants.reader.profile).toBe(profile);
});

test.each([true, false])(
  "clients that read in different ways and share a session are an unknown one, fixed before: %p",
  (isFixedBefore) => {
    const { participants } = noted(true);
    const unknown = plainReader(undefined).profile;
    participants.meetClient(hello("gemini-cli-mcp-client"));
    if (isFixedBefore) participants.freezeReader();
    expect(participants.meetClient(hello("claude-code"))).toBe(isFixedBefore);
    expect(participants.freezeReader().profile).toEqual(unknown);
    for (const name of ["codex-mcp-client", "claude-code", "gemini-cli-mcp-client"]) {
      expect(participants.meetClient(hello(name))).toBe(false);
      expect(participants.reader.profile).toEqual(unknown);
    }
  },
);

test("clients with the same profile that share a session keep it, as does one on a pipe", () => {
  for (const [first, second, mayBeShared] of [
    ["Zed", "other", true],
    ["claude-code", "claude-code", true],
    ["gemini-cli-mcp-client", "claude-code", false],
  ] as const) {
    const { participants } = noted(mayBeShared);
    participants.meetClient(hello(first));
    const fixed = participants.freezeReader();
    expect(participants.meetClient(hello(second))).toBe(false);
    expect(participants.reader.profile).toEqual(fixed.profile);
  }
});

test("an answer says whether it brought other instructions", () => {
  const { participants } = noted();
  const learn = (instructions?: string) =>
    participants.meetServer({
      server: { name: "garden", version: undefined },
      protocolVersion: undefined,
      instructions,
    });
  expect([learn(), learn("Be kind"), learn("Be kind"), learn("Be brief")]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(participants.introductions.server?.name).toBe("garden");
});

test.each([
  [false, [true], true],
  [false, [true, false], false],
  [false, [false, true], true],
  [true, [true, true], true],
  [true, [true, false], false],
  [true, [false, true], false],
])(
  "pages are kept from models by all that share a session: %p %p %p",
  (mayBeShared, shown, expected) => {
    const { participants } = noted(mayBeShared);
    for (const showsApps of shown) participants.meetClient(hello("host", showsApps));
    expect(participants.introductions.showsApps).toBe(expected);
  },
);
