/** The dialects of JSON Schema: `http` up to draft 7, `https` from 2019-09 on. */
const dialect =
  /^https?:\/\/json-schema\.org\/(?:draft-0[3-7]|draft\/(?:2019-09|2020-12|next))\/schema#?$/;

/** A schema without a dialect is of this one, says MCP. */
const usual = "https://json-schema.org/draft/2020-12/schema";

/** True for two addresses of one dialect; an absent one is the usual one. */
export function isSameDialect(before: unknown = usual, after: unknown = usual): boolean {
  return isDialect(before) && isDialect(after) && plain(before) === plain(after);
}

function plain(address: unknown): string {
  return String(address).replace(/^https?:|#$/g, "");
}

/** True for the address of a dialect of JSON Schema: a model reads no text in it. */
export function isDialect(value: unknown): boolean {
  return typeof value === "string" && dialect.test(value);
}
