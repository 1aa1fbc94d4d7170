import { expect, test } from "bun:test";
import { listenForHttp } from "#http-server/http-listener.ts";
import { RawClient } from "../support/raw-client.ts";

const answerer = {
  answer: async () => ({ status: 204, headers: new Headers(), body: undefined }),
  rejection: () => ({ status: 400, headers: new Headers(), body: undefined }),
};

test("listens at a port of this machine, which no other program can have, until it is closed", async () => {
  const listener = listenForHttp(0, answerer);
  const url = `http://127.0.0.1:${listener.port}/`;
  expect((await fetch(url)).status).toBe(204);
  expect(() => listenForHttp(listener.port, answerer)).toThrow(
    expect.objectContaining({ code: "EADDRINUSE" }),
  );
  using open = await RawClient.to(listener.port);
  await open.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").answered(1);
  listener.close();
  await open.ended();
  expect(fetch(url)).rejects.toThrow();
  listenForHttp(listener.port, answerer).close();
});
