// The modes of sign-up. Operators can create accounts in every mode.
import { statement, type Query } from '@service/database';
import { accountErrors } from './errors.ts';

/** `open`: everyone. `invited`: the e-mail address of an open invitation, with the id of the invitation. `closed`: no sign-up. */
export type SignUpMode = 'open' | 'invited' | 'closed';

/** Throws sign_up_closed or sign_up_invitation_required when this sign-up is not allowed. */
export type CheckSignUp = (input: Readonly<Record<string, unknown>>) => Promise<void>;

const findInvitation = statement({
  name: 'accounts.find_invitation',
  text: `
    select from accounts.invitation
    where id = $1 and email = $2 and status = 'pending' and "expiresAt" > now()`,
  allAccounts: 'The id of an invitation is a secret, and its account is not known before.',
});

export function createSignUpCheck(query: Query, mode: SignUpMode): CheckSignUp {
  return async ({ invitationId, email }) => {
    if (mode === 'open') return;
    if (mode === 'closed') throw accountErrors.sign_up_closed();
    if (typeof invitationId === 'string' && typeof email === 'string') {
      const found = await query(findInvitation, [invitationId, email.toLowerCase()]);
      if (found.length === 1) return;
    }
    throw accountErrors.sign_up_invitation_required();
  };
}
