// Two limits on guessing passwords, counted in the database for all processes. An address with too many attempts is refused. An
// account allows one attempt in 5 s over all addresses, except those that it was signed in to before: a stranger can use all
// attempts of an account, but cannot lock its owner out. A refused attempt is answered at once with Retry-After. E-mail addresses
// without an account are counted too, so that the answers do not reveal which ones exist.
import { column, statement, type Query } from '@service/database';
import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { accountErrors } from './errors.ts';

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

interface Attempt {
  path: string;
  address: string;
  /** The account whose password is tried, if any. */
  email: string | undefined;
}

/** A mail to `email`, and who asks for it: a client address, or an account for its invitations. */
export type MailRequest = { email: string } & ({ address: string } | { accountId: string });

export type SignInLimits = ReturnType<typeof createSignInLimits>;

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

const passwordPaths = new Set([
  '/sign-in/email',
  '/sign-up/email',
  '/sign-up/confirm',
  '/change-password',
  '/password-reset',
  '/two-factor/enable',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
  '/two-factor/disable',
  '/password-reset/request',
]);

/** The paths of mail-routes.ts that ask for a mail count it too (`admitMail`). */
const mailWindows = {
  /** Of a client address: one person, or an office. */
  network: { seconds: 3600, attemptsMax: 30 },
  /** Of an account: its invitations. */
  account: { seconds: 86_400, attemptsMax: 200 },
  /** To one mailbox, of all kinds. */
  recipient: { seconds: 3600, attemptsMax: 5 },
  /** A mail server has limits, and its owner a reputation. */
  installation: { seconds: 3600, attemptsMax: 1000 },
} as const satisfies Record<string, Window>;

/** For the paths without a password: invitations and sign-out. */
const generalWindow: Window = { seconds: 10, attemptsMax: 100 };

export function createSignInLimits({ query, secret, limit }: SignInLimitsOptions) {
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
    /** Counts an attempt. Throws too_many_attempts. */
    async admit({ path, address, email }: Attempt): Promise<void> {
      const window = passwordPaths.has(path) ? passwordWindow : generalWindow;
      await take(hash('path', path, groupAddress(address)), window);
      if (email === undefined) return;
      const known = await query(findKnownAddress, [email.toLowerCase(), hashAddress(address)]);
      if (known.length === 0) await take(hash('email', email.toLowerCase()), accountWindow);
    },
    /**
     * Counts a mail that a network or an account asks for, for known and unknown e-mail addresses alike. Throws too_many_attempts.
     */
    async admitMail({ email, ...asker }: MailRequest): Promise<void> {
      if ('address' in asker) await take(hash('mails of', groupAddress(asker.address)), mailWindows.network);
      else await take(hash('mails of', asker.accountId), mailWindows.account);
      await take(hash('mails to', mailboxOf(email)), mailWindows.recipient);
      await take(hash('mails'), mailWindows.installation);
    },
    /** Stores an address from which a user has signed in. */
    async remember(userId: string, address: string): Promise<void> {
      await query(rememberAddress, [userId, hashAddress(address), knownAddressesMax]);
    },
  };
}

/**
 * Takes one attempt from the window of a subject: $1 subject, $2 seconds of a window, $3 attempts in it. All times are the
 * database's, so that processes with different clocks use the same windows. A full window is only read, so refused callers do not
 * wait for each other.
 */
const takeAttempt = statement({
  name: 'accounts.take_attempt',
  text: `
    with taken as (
      insert into accounts.sign_in_attempt as present (subject, attempts, ends_at)
      select $1, 1, now() + make_interval(secs => $2)
      where not exists (
        select from accounts.sign_in_attempt where subject = $1 and ends_at > now() and attempts >= $3
      )
      on conflict (subject) do update set
        attempts = case when present.ends_at <= now() then 1 else present.attempts + 1 end,
        ends_at = case when present.ends_at <= now() then excluded.ends_at else present.ends_at end
      where present.ends_at <= now() or present.attempts < $3
      returning 1
    )
    select
      exists (select from taken) as admitted,
      least($2, coalesce(
        (
          select greatest(1, ceil(extract(epoch from ends_at - now())))
          from accounts.sign_in_attempt
          where subject = $1
        ),
        $2
      ))::int as wait_seconds`,
  row: { admitted: column.boolean, wait_seconds: column.integer },
});

/** Returns a row if the user with e-mail address $1 has signed in from address $2. */
const findKnownAddress = statement({
  name: 'accounts.find_known_address',
  text: `
    select from accounts.known_address k
    join accounts."user" u on u.id = k.user_id
    where u.email = $1 and k.address = $2`,
});

/** Stores address $2 of user $1, and deletes all but the newest $3. */
const rememberAddress = statement({
  name: 'accounts.remember_address',
  text: `
    with remembered as (
      insert into accounts.known_address (user_id, address, used_at) values ($1, $2, now())
      on conflict (user_id, address) do update set used_at = now()
    )
    delete from accounts.known_address
    where user_id = $1 and address in (
      select address from accounts.known_address
      where user_id = $1 and address <> $2
      order by used_at desc, address
      offset $3::int - 1
    )`,
});

/**
 * The group of addresses that count as one caller. An IPv6 caller usually has a /64 network, so only the first 64 bits count. An
 * IPv4 address in IPv6 form is the IPv4 address. Both loopback addresses are one group, since `localhost` can be either.
 */
export function groupAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.range() === 'loopback') return 'loopback';
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}

/**
 * One spelling of all addresses that lead to a mailbox: without case, without the tag after a plus sign, and at Gmail without dots.
 * `mails.mailbox_of` in the database does the same.
 */
export function mailboxOf(email: string): string {
  const address = email.toLowerCase();
  const [local = '', domain = ''] = address.split('@');
  if (domain === 'gmail.com' || domain === 'googlemail.com')
    return `${local.split('+')[0]!.replaceAll('.', '')}@gmail.com`;
  return address.replace(/^([^+@]+)\+[^@]*@/, '$1@');
}
