// The modes of sign-up. Operators can create accounts in every mode.
import type pg from 'pg';
import { accountErrors } from './errors.ts';

/** `open`: everyone. `invited`: the e-mail address of an open invitation, with the id of the invitation. `closed`: no sign-up. */
export type SignUpMode = 'open' | 'invited' | 'closed';

/** Throws sign_up_closed or sign_up_invitation_required when this sign-up is not allowed. */
export type CheckSignUp = (input: Readonly<Record<string, unknown>>) => Promise<void>;

const findInvitation = {
  name: 'accounts.find_invitation',
  text: `
    select from accounts.invitation
    where id = $1 and email = $2 and status = 'pending' and "expiresAt" > now()`,
};

export function createSignUpCheck(pool: Pick<pg.Pool, 'query'>, mode: SignUpMode): CheckSignUp {
  return async ({ invitationId, email }) => {
    if (mode === 'open') return;
    if (mode === 'closed') throw accountErrors.sign_up_closed();
    if (typeof invitationId === 'string' && typeof email === 'string') {
      const values = [invitationId, email.toLowerCase()];
      const found = await pool.query({ ...findInvitation, values });
      if (found.rowCount === 1) return;
    }
    throw accountErrors.sign_up_invitation_required();
  };
}
