import { useLayoutEffect, useRef, useState } from "../preact.ts";

/** Whole pixels, following the window; 0 before they are known. */
export function useWidth(): readonly [place: { current: HTMLDivElement | null }, width: number] {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const measure = (): void => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
      setWidth(Math.max(0, Math.floor(element.clientWidth - padding)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, width];
}
