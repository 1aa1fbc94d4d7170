import { Frame } from "./frame.tsx";
import { render } from "./preact.ts";
import { start } from "./state.ts";

const container = document.querySelector("#app");
if (container) render(<Frame />, container);
start();
