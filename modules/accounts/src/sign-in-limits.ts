// Two limits on guessing passwords, counted in the database for all processes. An address with too many attempts is refused. An
// account allows one attempt in 5 s over all addresses, except those that it was signed in to before: a stranger can use all
// attempts of an account, but cannot lock its owner out. A refused attempt is answered at once with Retry-After. E-mail addresses
// without an account are counted too, so that the answers do not reveal which ones exist.
import { createHmac } from 'node:crypto';
import type { Query } from '@service/database';
import { groupAddress } from './client-address.ts';
import { accountErrors } from './errors.ts';
import { findKnownAddress, rememberAddress, takeAttempt } from './sign-in-limits.sql.ts';

/** The pause between two attempts to sign in to one account from unknown addresses, in seconds. */
const accountPauseDefaultSeconds = 5;

/** Known addresses of each user. The one with the oldest sign-in is deleted first. */
const knownAddressesMax = 20;

export interface SignInLimit {
  windowSeconds: number;
  /** Attempts in a window for each client address and path. */
  max: number;
  /** The pause between two attempts to sign in to one account from unknown addresses; 5 s. */
  accountPauseSeconds?: number;
}

export interface Attempt {
  path: string;
  address: string;
  /** The account whose password is tried, if any. */
  email: string | undefined;
}

export interface SignInLimits {
  /** Counts an attempt. Throws too_many_attempts. */
  admit(attempt: Attempt): Promise<void>;
  /** Stores an address from which a user has signed in. */
  remember(userId: string, address: string): Promise<void>;
}

interface SignInLimitsOptions {
  query: Query;
  /** The key of the hashes of stored addresses and e-mail addresses. */
  secret: string;
  /** For the paths that take a password. */
  limit: SignInLimit;
}

interface Window {
  seconds: number;
  attemptsMax: number;
}

const passwordPaths = new Set(['/sign-in/email', '/sign-up/email', '/change-password']);

/** For the paths without a password: invitations and sign-out. */
const generalWindow: Window = { seconds: 10, attemptsMax: 100 };

export function createSignInLimits({ query, secret, limit }: SignInLimitsOptions): SignInLimits {
  const passwordWindow: Window = { seconds: limit.windowSeconds, attemptsMax: limit.max };
  const accountWindow: Window = {
    seconds: limit.accountPauseSeconds ?? accountPauseDefaultSeconds,
    attemptsMax: 1,
  };
  const hash = (...parts: string[]): string =>
    createHmac('sha256', secret).update(parts.join('\0')).digest('base64url');
  const hashAddress = (address: string): string => hash('address', groupAddress(address));

  const take = async (subject: string, { seconds, attemptsMax }: Window): Promise<void> => {
    const [row] = await query(takeAttempt, [subject, seconds, attemptsMax]);
    if (!row?.admitted)
      throw accountErrors.too_many_attempts({ retryAfterSeconds: row?.wait_seconds ?? seconds });
  };

  return {
    async admit({ path, address, email }) {
      const window = passwordPaths.has(path) ? passwordWindow : generalWindow;
      await take(hash('path', path, groupAddress(address)), window);
      if (email === undefined) return;
      const known = await query(findKnownAddress, [email.toLowerCase(), hashAddress(address)]);
      if (known.length === 0) await take(hash('email', email.toLowerCase()), accountWindow);
    },
    async remember(userId, address) {
      await query(rememberAddress, [userId, hashAddress(address), knownAddressesMax]);
    },
  };
}
