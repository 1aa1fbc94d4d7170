// Waits for longer than a connection is kept behind its last answer.
import { expect, test } from "bun:test";
import { listenForHttp } from "#http-server/http-listener.ts";
import { refusedLingerSeconds } from "#limits/http.ts";
import { RawClient } from "../support/raw-client.ts";

test("a client that reads its last answer late gets all of it", async () => {
  const body = new Uint8Array(300_000).fill(120);
  const answer = async () => ({ status: 200, headers: new Headers(), body });
  const listener = listenForHttp(0, { answer, rejection: answer as never });
  using client = await RawClient.to(listener.port);
  client.socket.pause();
  client.send("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
  // The clock of these connections has steps of four seconds.
  await Bun.sleep((refusedLingerSeconds + 5) * 1000);
  client.socket.resume();
  expect(await client.ended()).toBe("ended");
  expect(client.text.split("\r\n\r\n")[1]).toHaveLength(body.length);
  listener.close();
});
