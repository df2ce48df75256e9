import { VisuallyHidden } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { focusContentIfLost } from '../focus-content.ts';

/** A page sets its title when it renders, a moment after the router has its route. */
const titleMs = 150;

/**
 * Screen readers notice a new document, but not a new page in the same one. So its title is announced, and the focus moves into
 * the page when the link that had it is gone.
 */
export function RouteAnnouncer() {
  const router = useRouter();
  const [title, setTitle] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (!pathChanged || fromLocation === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        setTitle(document.title);
        focusContentIfLost();
      }, titleMs);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [router]);
  return <VisuallyHidden aria-live="polite">{title}</VisuallyHidden>;
}
