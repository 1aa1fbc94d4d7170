import { expect, test } from "bun:test";
import { servedKey, ServedPorts } from "#commands/wrap/served-ports.ts";
import { serveWith } from "#commands/wrap/serving.ts";

const server = { name: "docs", url: "https://example.com/a/mcp?tools=x" };
const key = servedKey(server);

test("the address has the path of the URL, and the command the whole of it", () => {
  const serve = serveWith(
    "/opt/mcp-meter",
    ["--log", "off"],
    new ServedPorts(new Map([[key, 28_200]])),
  );
  expect(serve(server)).toEqual({
    served: { address: "http://127.0.0.1:28200/a/mcp", key },
    words: [
      "/opt/mcp-meter",
      "serve",
      "--url",
      server.url,
      "--port",
      "28200",
      "--server",
      "docs",
      "--log",
      "off",
    ],
  });
});

test("an address of serve is not served once more; other ports of loopback are", () => {
  const serve = serveWith("mcp-meter", [], new ServedPorts(new Map([[key, 28_200]])));
  const local = (port: number) => serve({ name: "x", url: `http://127.0.0.1:${port}/mcp` });
  expect(local(28_200)).toEqual({ refusal: "address" });
  expect(local(3001)).toMatchObject({ served: {} });
});

test("without a free port there is a refusal", () => {
  expect(serveWith("mcp-meter", [], new ServedPorts(new Map(), () => false))(server)).toEqual({
    refusal: "ports",
  });
});
