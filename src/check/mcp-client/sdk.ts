export {
  Client,
  specTypeSchemas,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
