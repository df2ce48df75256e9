// A sign-in checks the password and writes its session about 100 ms later. A change of the password in between ends all other
// sessions, but not this one. So the hash of the password is compared before and after.
import { column, statement, type Query } from '@service/database';

export type OutdatedSignIns = ReturnType<typeof createOutdatedSignIns>;

const findMark = statement({
  name: 'accounts.mark_password',
  text: `
    select md5(a.password) as mark
    from accounts."user" u
    join accounts.account a on a."userId" = u.id and a."providerId" = 'credential'
    where u.email = $1`,
  row: { mark: column.text },
});

const endSession = statement({
  name: 'accounts.end_outdated_session',
  text: `
    delete from accounts.session s
    using accounts.account a
    where s.token = $1 and a."userId" = s."userId" and a."providerId" = 'credential'
      and md5(a.password) is distinct from $2
    returning s.id`,
  row: { id: column.text },
});

export function createOutdatedSignIns(query: Query) {
  return {
    /** A digest of the present password hash of a user. Undefined without a user. */
    async markPassword(email: string): Promise<string | undefined> {
      const [found] = await query(findMark, [email.toLowerCase()]);
      return found?.mark;
    },
    /** Ends the session with this token if the password has changed since the mark. Returns true in that case. */
    async endIfOutdated(token: string, mark: string | undefined): Promise<boolean> {
      const ended = await query(endSession, [token, mark]);
      return ended.length === 1;
    },
  };
}
