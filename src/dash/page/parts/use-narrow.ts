import { useEffect, useState } from "../preact.ts";

/** The width up to which the style sheet is that of a telephone. */
const narrow = matchMedia("(max-width: 760px)");

/** True in a narrow window; follows it. */
export function useNarrow(): boolean {
  const [is, set] = useState(narrow.matches);
  useEffect(() => {
    const follow = (): void => set(narrow.matches);
    narrow.addEventListener("change", follow);
    return () => narrow.removeEventListener("change", follow);
  }, []);
  return is;
}
