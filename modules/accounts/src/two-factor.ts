// The second factor of a sign-in: codes of an authenticator app, and recovery codes. better-auth's plugin makes, checks and stores them: five
// tries for a sign-in, ten in a row for a person, then a pause of 15 minutes. It encrypts the key of the app and the recovery codes with the
// secret of the sign-in sessions, which is derived from ENCRYPTION_KEY.
import { column, statement, type Query } from '@service/database';
import type { Command } from '@service/module';
import { createHash } from 'node:crypto';
import { accountErrors } from './errors.ts';

/** The secrets as better-auth takes them, the current one first. A value names its secret by this number. */
export const numberSecrets = (secrets: readonly string[]): { version: number; value: string }[] =>
  secrets.map((value) => ({ version: createHash('sha256').update(value).digest().readUInt32BE(), value }));

const selectStale = statement({
  name: 'accounts.select_stale_two_factors',
  text: `
    select id, secret, "backupCodes" from accounts.two_factor
    where id > $1 and (secret not like $2 or "backupCodes" not like $2) order by id limit 500`,
  row: { id: column.text, secret: column.text, backupCodes: column.text },
});

const replaceStale = statement({
  name: 'accounts.replace_stale_two_factor',
  text: `
    update accounts.two_factor set secret = $2, "backupCodes" = $3
    where id = $1 and secret = $4 and "backupCodes" = $5`,
});

/**
 * Encrypts the stored keys and recovery codes with the first secret, after a change of ENCRYPTION_KEY. `left` are those that none of the
 * secrets opens.
 */
export async function resealTwoFactor(
  query: Query,
  secrets: readonly string[],
): Promise<{ resealed: number; left: number }> {
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto');
  const numbered = numberSecrets(secrets);
  const currentVersion = numbered[0]!.version;
  const key = { keys: new Map(numbered.map(({ version, value }) => [version, value])), currentVersion };
  const reseal = async (data: string) =>
    symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  const pattern = `$ba$${currentVersion}$%`;
  const counts = { resealed: 0, left: 0 };
  let rows = await query(selectStale, ['', pattern]);
  while (rows.length > 0) {
    for (const { id, secret, backupCodes } of rows) {
      const next = await Promise.all([reseal(secret), reseal(backupCodes)]).catch(() => undefined);
      if (next) await query(replaceStale, [id, ...next, secret, backupCodes]);
      counts[next ? 'resealed' : 'left'] += 1;
    }
    rows = await query(selectStale, [rows.at(-1)!.id, pattern]);
  }
  return counts;
}

const endChallenges = statement({
  name: 'accounts.end_two_factor_challenges',
  text: 'delete from accounts.verification where value = $1',
});

/**
 * Ends sign-ins that wait for a code, and forgets the browsers that are not asked for one. After a change of the password, when the factor
 * is switched off, and when a person ends their other sessions.
 */
export async function endTwoFactorChallenges(query: Query, userId: string): Promise<void> {
  await query(endChallenges, [userId]);
}

const switchOff = statement({
  name: 'accounts.switch_off_two_factor',
  text: `
    with person as (
      update accounts."user" set "twoFactorEnabled" = false, "updatedAt" = now() where email = $1 returning id
    ), removed as (
      delete from accounts.two_factor f using person where f."userId" = person.id
    )
    select id from person`,
  row: { id: column.text },
});

/** For a person who has lost their authenticator app and their recovery codes. */
export const switchOffTwoFactor: Command<{ database: { query: Query } }> = {
  summary: 'Switches off the second factor of a person who cannot sign in any more. Prints {userId}.',
  options: { email: { type: 'text', hint: 'EMAIL', required: true } },
  async run({ database }, values) {
    const [user] = await database.query(switchOff, [String(values['email']).toLowerCase()]);
    if (!user) throw accountErrors.user_not_found();
    await endTwoFactorChallenges(database.query, user.id);
    return { userId: user.id };
  },
};
