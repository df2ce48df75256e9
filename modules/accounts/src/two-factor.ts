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

const endChallenges = statement({
  name: 'accounts.end_two_factor_challenges',
  text: 'delete from accounts.verification where value = $1',
});

/** Ends sign-ins that wait for a code, and forgets the browsers that are not asked for one. After a change of the password. */
export async function endTwoFactorChallenges(query: Query, userId: string): Promise<void> {
  await query(endChallenges, [userId]);
}

const switchOff = statement({
  name: 'accounts.switch_off_two_factor',
  text: `
    with person as (
      update accounts."user" set "twoFactorEnabled" = false, "updatedAt" = now() where email = $1 returning id
    ), removed as (
      delete from accounts."twoFactor" f using person where f."userId" = person.id
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
