import { Frame } from "./frame.tsx";
import { render } from "./preact.ts";
import { start } from "./state.ts";

const place = document.querySelector("#app");
if (place) render(<Frame />, place);
start();
