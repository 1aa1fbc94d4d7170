export { signal } from "@preact/signals";
export { render, type ComponentChildren } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
