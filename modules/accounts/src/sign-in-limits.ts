// Guessing passwords is limited in two ways, counted in the database for all processes together.
// An address that tries too often is refused. An account is only slowed, to one attempt per 5 s over all addresses, and an
// address that has signed in to it before is exempt: a stranger can use up the account's attempts, but cannot keep its
// owner out. A refused attempt is answered at once with Retry-After, so waiting costs the server nothing.
// E-mails without an account are counted like the others, so that the answers do not reveal which exist.
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { groupAddress } from './client-address.ts';
import { accountErrors } from './errors.ts';
import { accountPauseUsualSeconds, knownAddressesMax } from './limits.ts';
import { findKnownAddress, rememberAddress, takeAttempt } from './sign-in-limits.sql.ts';

export interface SignInLimit {
  windowSeconds: number;
  /** Attempts per window, client address and path. */
  max: number;
  /** The pause between two attempts at one account from addresses that it does not know; 5 s. */
  accountPauseSeconds?: number;
}

export interface Attempt {
  path: string;
  address: string;
  /** The account that a password is tried for, if one is. */
  email: string | undefined;
}

export interface SignInLimits {
  /** Counts an attempt. Throws too_many_attempts. */
  admit(attempt: Attempt): Promise<void>;
  /** Remembers that a user has signed in from this address. */
  remember(userId: string, address: string): Promise<void>;
}

interface SignInLimitsOptions {
  pool: Pick<pg.Pool, 'query'>;
  /** Keys the hashes under which addresses and e-mails are stored. */
  secret: string;
  /** For the paths that take a password. */
  limit: SignInLimit;
}

interface Window {
  seconds: number;
  attemptsMax: number;
}

const passwordPaths = new Set(['/sign-in/email', '/sign-up/email', '/change-password']);

/** For the paths that take no password: invitations and signing out. */
const generalWindow: Window = { seconds: 10, attemptsMax: 100 };

export function createSignInLimits({ pool, secret, limit }: SignInLimitsOptions): SignInLimits {
  const passwordWindow: Window = { seconds: limit.windowSeconds, attemptsMax: limit.max };
  const accountWindow: Window = {
    seconds: limit.accountPauseSeconds ?? accountPauseUsualSeconds,
    attemptsMax: 1,
  };
  const hash = (...parts: string[]): string =>
    createHmac('sha256', secret).update(parts.join('\0')).digest('base64url');
  const hashAddress = (address: string): string => hash('address', groupAddress(address));

  const take = async (subject: string, { seconds, attemptsMax }: Window): Promise<void> => {
    const { rows } = await pool.query<{ admitted: boolean; wait_seconds: number }>({
      ...takeAttempt,
      values: [subject, seconds, attemptsMax],
    });
    const [row] = rows;
    if (!row?.admitted)
      throw accountErrors.too_many_attempts({ retryAfterSeconds: row?.wait_seconds ?? seconds });
  };

  return {
    async admit({ path, address, email }) {
      const window = passwordPaths.has(path) ? passwordWindow : generalWindow;
      await take(hash('path', path, groupAddress(address)), window);
      if (email === undefined) return;
      const values = [email.toLowerCase(), hashAddress(address)];
      const known = await pool.query({ ...findKnownAddress, values });
      if (known.rowCount === 0) await take(hash('email', email.toLowerCase()), accountWindow);
    },
    async remember(userId, address) {
      await pool.query({ ...rememberAddress, values: [userId, hashAddress(address), knownAddressesMax] });
    },
  };
}
