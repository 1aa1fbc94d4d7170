import { useLayoutEffect, useRef, useState } from "../preact.ts";

/** A reference for an element, and its width in whole pixels, which follows the window; 0 before it is known. */
export function useWidth<E extends HTMLElement>(): readonly [place: { current: E | null }, number] {
  const place = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const measure = (): void => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, width];
}
