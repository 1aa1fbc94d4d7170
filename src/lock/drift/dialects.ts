/** `http` up to draft 7, `https` from 2019-09. */
const dialect =
  /^https?:\/\/json-schema\.org\/(?:draft-0[3-7]|draft\/(?:2019-09|2020-12|next))\/schema#?$/;

// The default of MCP.
const usual = "https://json-schema.org/draft/2020-12/schema";

export function isSameDialect(before: unknown = usual, after: unknown = usual): boolean {
  return isDialect(before) && isDialect(after) && plain(before) === plain(after);
}

function plain(address: unknown): string {
  return String(address).replace(/^https?:|#$/g, "");
}

export function isDialect(value: unknown): boolean {
  return typeof value === "string" && dialect.test(value);
}
