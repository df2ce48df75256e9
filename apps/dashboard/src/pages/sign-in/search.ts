// The search parameters of sign-in and sign-up. Read without zod, which would be a tenth of these pages.

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
