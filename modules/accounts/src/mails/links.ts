// The links in mails that change a password or confirm an address. A token works once. A worker makes it when it sends the mail,
// and the database has only its hash.
import { column, statement, type Query } from '@service/database';
import { createHash, randomBytes } from 'node:crypto';

export type LinkKind = 'reset' | 'verification';

export const linkMinutes: Record<LinkKind, number> = { reset: 30, verification: 24 * 60 };

export const createToken = (): string => randomBytes(32).toString('base64url');

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

const upsertLink = statement({
  name: 'accounts.upsert_mail_link',
  text: `
    insert into accounts.mail_link (user_id, kind, token_hash, expires_at)
    values ($1, $2, $3, now() + make_interval(mins => $4))
    on conflict (user_id, kind) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
});

/** Makes a link, and ends the former one of this kind. Returns its token. */
export async function createLink(query: Query, userId: string, kind: LinkKind): Promise<string> {
  const token = createToken();
  await query(upsertLink, [userId, kind, hashOfToken(token), linkMinutes[kind]]);
  return token;
}

const takeReset = statement({
  name: 'accounts.take_reset_link',
  text: `
    delete from accounts.mail_link where token_hash = $1 and kind = 'reset' and expires_at > now()
    returning user_id`,
  row: { user_id: column.text },
});

/** Uses up a link. Returns the id of its user, or undefined for a link that is not valid. */
export async function takeResetLink(query: Query, token: string): Promise<string | undefined> {
  const [row] = await query(takeReset, [hashOfToken(token)]);
  return row?.user_id;
}

const verify = statement({
  name: 'accounts.verify_email',
  text: `
    with used as (
      delete from accounts.mail_link where token_hash = $1 and kind = 'verification' and expires_at > now()
      returning user_id
    )
    update accounts."user" u set "emailVerified" = true, "updatedAt" = now()
    from used where u.id = used.user_id
    returning u.id`,
  row: { id: column.text },
});

/** Uses up a link and marks the address of its user as verified. False for a link that is not valid. */
export async function verifyEmail(query: Query, token: string): Promise<boolean> {
  return (await query(verify, [hashOfToken(token)])).length === 1;
}

const endReset = statement({
  name: 'accounts.end_reset_link',
  text: `delete from accounts.mail_link where user_id = $1 and kind = 'reset'`,
});

/** Ends the link to reset a password that was sent to a user. */
export async function endResetLink(query: Query, userId: string): Promise<void> {
  await query(endReset, [userId]);
}

const deleteLinks = statement({
  name: 'accounts.delete_expired_links',
  text: `
    with links as (delete from accounts.mail_link where expires_at < now() returning 1),
      sign_ups as (delete from accounts.pending_sign_up where expires_at < now() returning 1)
    select ((select count(*) from links) + (select count(*) from sign_ups))::int as deleted`,
  row: { deleted: column.integer },
});

/** Deletes expired links and sign-ups that were not confirmed. Returns their number. */
export async function deleteExpiredLinks(query: Query): Promise<number> {
  const [row] = await query(deleteLinks, []);
  return row!.deleted;
}
