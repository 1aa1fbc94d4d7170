import { expect, test } from "bun:test";
import { Connection } from "#http-client/connection.ts";
import { Leaving } from "#http1/leaving.ts";
import { RawHttpServer } from "../support/raw-http-server.ts";
import { eventually } from "../support/wait.ts";

const request = (url: string) => ({
  method: "GET",
  url: new URL(url),
  headers: new Headers(),
  body: undefined,
  leaving: new Leaving(),
});

test("tells its keeper when it may carry another request, and when it is closed", async () => {
  using server = await RawHttpServer.start(() => ({
    parts: ["HTTP/1.1 204 No Content\r\nkeep-alive: timeout=9\r\n\r\n"],
    isOpen: true,
  }));
  const log: unknown[] = [];
  const connection = await Connection.open(new URL(server.url), {
    rested: (seconds) => void log.push(seconds),
    closed: () => void log.push("closed"),
  });
  const { status, body } = await connection.ask(request(server.url));
  expect([status, body, ...log]).toEqual([204, undefined, 9]);
  expect([connection.isClosed, connection.wasSilent]).toEqual([false, false]);
  connection.close();
  await eventually("the end", () => log.includes("closed"));
  await expect(connection.ask(request(server.url))).rejects.toMatchObject({ code: "ECONNRESET" });
});

test("was silent where not a byte of an answer came", async () => {
  using server = await RawHttpServer.start(() => ({ parts: [] }));
  const keeper = { rested: () => undefined, closed: () => undefined };
  const connection = await Connection.open(new URL(server.url), keeper);
  await expect(connection.ask(request(server.url))).rejects.toMatchObject({ code: "ECONNRESET" });
  expect([connection.wasSilent, connection.isClosed]).toEqual([true, true]);
});
