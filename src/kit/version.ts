// A default import would embed the whole file in the executable.
export { version } from "../../package.json" with { type: "json" };
