import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { keepDrafts } from './form-draft.ts';

/** The sign-in session has ended: keeps open forms, clears all data and opens the sign-in page, which leads back here. */
export function leaveEndedSession(router: AnyRouter, queryClient: QueryClient): void {
  const { href, pathname } = router.state.location;
  if (pathname === '/sign-in') return;
  keepDrafts();
  queryClient.clear();
  // The forms are kept, so nothing is lost by leaving the page.
  void router.navigate({ to: '/sign-in', search: { redirect: href, ended: true }, ignoreBlocker: true });
}
