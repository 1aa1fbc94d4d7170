/** The parts of the client of SDK 2.x that are used here: the client, its transport over HTTP, and the forms of MCP that it judges answers by. */
export {
  Client,
  specTypeSchemas,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
