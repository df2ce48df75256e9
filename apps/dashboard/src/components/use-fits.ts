import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** True while the element is at least `minWidth` wide. Measured before the first paint, and at each change of its size. */
export function useFits(minWidth: number): [RefObject<HTMLDivElement | null>, boolean] {
  const ref = useRef<HTMLDivElement>(null);
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => setFits(element.clientWidth >= minWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [minWidth]);
  return [ref, fits];
}
