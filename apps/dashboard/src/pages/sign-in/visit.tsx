// Sign-in and sign-up without the router: the first page of many visits.
import type { ReactNode } from 'react';
import { dropDrafts } from '../../kept-drafts.ts';
import { readInvitation, readSession, type Session } from '../../session.ts';
import { addressOf, invitationIdOf, signInSearchOf, wantedPage } from './search.ts';
import { SignInPage, SignUpPage } from './sign-in-page.tsx';

/** True for pages that people open without a sign-in session. */
export const isVisit = (): boolean => ['/', '/sign-in', '/sign-up'].includes(location.pathname);

/** The page for a visitor who has to sign in. Otherwise undefined: the app knows the page, or shows the failure. */
export async function visitPage(openApp: (session: Session) => Promise<void>): Promise<ReactNode> {
  const search = signInSearchOf(Object.fromEntries(new URLSearchParams(location.search)));
  const invitationId = invitationIdOf(search.redirect);
  const [session, invitation] = await Promise.all([
    readSession().catch(() => undefined),
    invitationId === undefined ? undefined : readInvitation(invitationId).catch(() => undefined),
  ]);
  const isSignUp = location.pathname === '/sign-up';
  // After a refused call the sign-in session may look valid, so a page that asks for a sign-in gets it.
  const isSignedIn = session?.user && !isSignUp && search.redirect === undefined;
  if (!session || isSignedIn) return undefined;
  if (location.pathname === '/') history.replaceState(null, '', addressOf('/sign-in', search));

  async function onEnter(): Promise<void> {
    const entered = await readSession();
    dropDrafts({ exceptOf: entered.user?.id });
    history.replaceState(null, '', wantedPage(search));
    await openApp(entered);
  }
  const Page = isSignUp ? SignUpPage : SignInPage;
  return <Page search={search} session={session} invitedEmail={invitation?.email} onEnter={onEnter} />;
}
