/** The parts of the client of SDK 2.x that are used here: the client, and the forms of MCP that it judges answers by. */
export { Client, specTypeSchemas } from "@modelcontextprotocol/client";
