/** The dialects of JSON Schema: `http` up to draft 7, `https` from 2019-09 on. */
const dialect =
  /^https?:\/\/json-schema\.org\/(?:draft-0[3-7]|draft\/(?:2019-09|2020-12|next))\/schema#?$/;

/** True for the address of a dialect of JSON Schema: a model reads no text in it. */
export function isDialect(value: unknown): boolean {
  return typeof value === "string" && dialect.test(value);
}
