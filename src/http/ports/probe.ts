import { connect } from "node:net";
import { sentences } from "#errors.ts";
import { probeBytesMax, probeMsMax } from "#limits/http.ts";
import { errorCode } from "#os/error-code.ts";

/** The program that listens at a port: `serve`, none, or another one. */
export type PortOwner = "serve" | "nobody" | "other";

/** A request that `serve` refuses by itself: its server gets none. */
const request = "GET / HTTP/1.1\r\nHost: mcp-meter.invalid\r\nConnection: close\r\n\r\n";

/** Finds out who listens at a port of this machine. */
export function probePort(port: number, waitMsMax: number = probeMsMax): Promise<PortOwner> {
  const { promise, resolve } = Promise.withResolvers<PortOwner>();
  let answer = "";
  const socket = connect({ host: "127.0.0.1", port }, () => socket.write(request));
  const judge = (): void => {
    resolve(answer.includes(sentences.foreignRequest("Host")) ? "serve" : "other");
    socket.destroy();
  };
  const timer = setTimeout(judge, waitMsMax);
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    answer += text;
    if (answer.length > probeBytesMax) judge();
  });
  socket.on("error", (error) => {
    if (errorCode(error) === "ECONNREFUSED") resolve("nobody");
    judge();
  });
  socket.on("close", () => {
    clearTimeout(timer);
    judge();
  });
  return promise;
}
