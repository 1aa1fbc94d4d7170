/** Namespace of the ids that are derived from those of clients. Changing it changes all of them. */
const namespace = "0b4f2c1e-6d1a-4a7e-9d35-5b1a7c9e2f40";

/** A UUID of version 5: the same name always gives the same one. */
export function derivedUuid(name: string): string {
  return Bun.randomUUIDv5(name, namespace);
}
