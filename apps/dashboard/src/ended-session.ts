import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { keepDrafts } from './form-draft.ts';
import { sessionQuery } from './session.ts';

let checking: Promise<void> | undefined;

/** Finds out why the service refuses the member. Called for a refused call, and when the stream has ended. */
export function checkAccess(router: AnyRouter, queryClient: QueryClient): void {
  checking ??= check(router, queryClient)
    .catch(() => undefined)
    .finally(() => (checking = undefined));
}

/** A person who was removed from the workspace is still signed in, and sees that it is gone. Others go to the sign-in page. */
async function check(router: AnyRouter, queryClient: QueryClient): Promise<void> {
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  const { user, workspaces } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  const [, workspaceId] = /^\/w\/([^/]+)/.exec(router.state.location.pathname) ?? [];
  const isSamePerson = user !== null && user.id === before?.user?.id;
  if (isSamePerson && !workspaces.some(({ id }) => id === workspaceId)) await router.invalidate();
  else leaveEndedSession(router, queryClient);
}

/** Keeps open forms, clears all data and opens the sign-in page, which leads back here. */
function leaveEndedSession(router: AnyRouter, queryClient: QueryClient): void {
  const { href, pathname } = router.state.location;
  if (pathname === '/sign-in') return;
  keepDrafts();
  queryClient.clear();
  // The forms are kept, so nothing is lost by leaving the page.
  void router.navigate({ to: '/sign-in', search: { redirect: href, ended: true }, ignoreBlocker: true });
}
