import { useEffect, useState } from "../preact.ts";

/** Up to this width the style sheet is that of a telephone. */
const narrow = matchMedia("(max-width: 760px)");

export function useNarrow(): boolean {
  const [is, set] = useState(narrow.matches);
  useEffect(() => {
    const follow = (): void => set(narrow.matches);
    narrow.addEventListener("change", follow);
    return () => narrow.removeEventListener("change", follow);
  }, []);
  return is;
}
