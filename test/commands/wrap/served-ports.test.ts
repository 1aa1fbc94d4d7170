import { expect, test } from "bun:test";
import { servedKey, ServedPorts } from "#commands/wrap/served-ports.ts";
import { servedPortMax, servedPortMin } from "#limits/wrapping.ts";

const one = { name: "docs", url: "https://example.com/mcp" };
const other = { name: "other", url: "https://example.com/mcp" };
const anyPort = () => true;

test("a server has one port, also by a later change, and no other server has it", () => {
  const ports = new ServedPorts(new Map(), anyPort);
  const port = ports.portOf(one) ?? 0;
  expect([port >= servedPortMin && port <= servedPortMax, ports.portOf(one)]).toEqual([true, port]);
  expect(ports.has(port)).toBe(true);
  const later = new ServedPorts(new Map([[servedKey(other), port]]), anyPort);
  expect(later.portOf(other)).toBe(port);
  expect(later.portOf(one)).not.toBe(port);
});

test("a port in the journal stays, also while serve listens on it", () => {
  const ports = new ServedPorts(new Map([[servedKey(one), servedPortMin]]), () => false);
  expect([ports.portOf(one), ports.portOf(other)]).toEqual([servedPortMin, undefined]);
});

test("a port that another program has is left out", () => {
  const [first] = [new ServedPorts(new Map(), anyPort).portOf(one)];
  const next = new ServedPorts(new Map(), (port) => port !== first).portOf(one);
  expect(next).toBe(first === servedPortMax ? servedPortMin : (first ?? 0) + 1);
});

test("every port of the range is used before there is none", () => {
  const ports = new ServedPorts(new Map(), anyPort);
  const count = servedPortMax - servedPortMin + 1;
  const used = Array.from({ length: count }, (_, at) => ports.portOf({ ...one, name: String(at) }));
  expect(new Set(used).size).toBe(count);
  expect(ports.portOf(one)).toBeUndefined();
});

test("a key has no part of the URL", () => {
  expect(servedKey(one)).toMatch(/^[0-9a-f]{16}$/);
});
