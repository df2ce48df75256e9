// The search parameters of sign-in and sign-up. Read without zod, which would be a tenth of these pages.

import type { Session } from '../../session.ts';

export interface SignInSearch {
  /** The page to open after the sign-in. */
  redirect?: string | undefined;
  /** The sign-in session has ended while a page was open. */
  ended?: true | undefined;
}

export const signInSearchOf = ({ redirect, ended }: Record<string, unknown>): SignInSearch => ({
  redirect: typeof redirect === 'string' && redirect !== '' ? redirect : undefined,
  ended: ended === true || ended === 'true' ? true : undefined,
});

/** The address of the other of the two pages, with the same parameters. */
export function addressOf(path: '/sign-in' | '/sign-up', { redirect, ended }: SignInSearch): string {
  const query = new URLSearchParams({
    ...(redirect === undefined ? {} : { redirect }),
    ...(ended ? { ended: 'true' } : {}),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
}

export interface SignInPageProps {
  search: SignInSearch;
  session: Session | undefined;
  /** The address of the invitation that is wanted. The form has it at first. */
  invitedEmail?: string | undefined;
  /** Opens the wanted page. */
  onEnter: () => Promise<void>;
}

/** The invitation in the address of the page that asked for the sign-in. */
export const invitationIdOf = (redirect: string | undefined): string | undefined =>
  /^\/invitations\/([0-9a-f-]{36})$/.exec(redirect ?? '')?.[1];

/** The reason for refusing a sign-up of this visitor; undefined when it is not refused. */
export function signUpRefusal(mode: Session['signUp'], redirect: string | undefined): string | undefined {
  if (mode === 'closed') return 'Sign-up is closed. Ask the operator of this service for an account.';
  if (mode === 'invited' && invitationIdOf(redirect) === undefined)
    return 'Sign-up needs an invitation. Ask an owner of the workspace to invite you, then open the link of the invitation.';
  return undefined;
}

/** The page to open after the sign-in. Only a path of this site: `//host` and absolute URLs lead to another site. */
export const wantedPage = ({ redirect }: SignInSearch): string =>
  redirect !== undefined && /^\/(?![/\\])/.test(redirect) ? redirect : '/';
