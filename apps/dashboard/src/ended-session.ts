import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { keepDrafts } from './form-draft.ts';
import { sessionQuery, type Session } from './session.ts';

let checking: Promise<boolean> | undefined;

/**
 * Finds out why the service refuses the member. Called for a refused call, and when the stream has ended. Resolves to true if the
 * member still has access.
 */
export function checkAccess(router: AnyRouter, queryClient: QueryClient): Promise<boolean> {
  checking ??= check(router, queryClient)
    .catch(() => false)
    .finally(() => (checking = undefined));
  return checking;
}

/** A person who was removed from the workspace is still signed in, and sees that it is gone. Others go to the sign-in page. */
async function check(router: AnyRouter, queryClient: QueryClient): Promise<boolean> {
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  // A call that was refused late: the page was left already, and the person may be signing in again.
  if (!before?.user) return false;
  const { user, workspaces } = await readCurrentSession(queryClient);
  const [, workspaceId] = /^\/w\/([^/]+)/.exec(router.state.location.pathname) ?? [];
  if (user === null || user.id !== before.user.id) {
    leaveEndedSession(router, queryClient);
    return false;
  }
  if (workspaces.some(({ id }) => id === workspaceId)) return true;
  await router.invalidate();
  return false;
}

/**
 * The session as the service has it now. A change of the password ends all sessions and begins a new one, whose cookie comes a
 * moment later, so a missing session is read twice.
 */
async function readCurrentSession(queryClient: QueryClient): Promise<Session> {
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  if (session.user !== null) return session;
  await new Promise((resolve) => setTimeout(resolve, newCookieMs));
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

const newCookieMs = 1000;

/** Keeps open forms, clears all data and opens the sign-in page, which leads back here. */
function leaveEndedSession(router: AnyRouter, queryClient: QueryClient): void {
  const { href, pathname } = router.state.location;
  if (pathname === '/sign-in') return;
  keepDrafts();
  queryClient.clear();
  // The forms are kept, so nothing is lost by leaving the page.
  void router.navigate({ to: '/sign-in', search: { redirect: href, ended: true }, ignoreBlocker: true });
}
