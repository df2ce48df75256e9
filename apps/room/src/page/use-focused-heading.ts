import { useEffect, useRef, type RefObject } from 'react';

/** A heading that takes the focus when it appears, so that screen readers read the new page from its beginning. */
export function useFocusedHeading(isFocused: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFocused) return;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [isFocused]);
  return heading;
}
