// The audit log: who changed what in the dashboard. Rows have the names of the changed fields, ids, and the title, label or name of the
// changed record, never other values, so no secret gets into them. They are kept for RETENTION_DAYS.
import {
  column,
  createId,
  databaseTime,
  idAt,
  idTime,
  nullable,
  statement,
  type AccountReader,
  type AccountWriter,
  type Query,
} from '@service/database';
import { cursorId, toPage, type MemberChange } from '@service/trpc';
import type { z } from 'zod';
import type { ChangeAuthorInput, ListChangesInput, MemberChangeOutput } from './schemas.ts';

type ChangedRecord = MemberChangeOutput['records'][number];

const insert = statement({
  name: 'accounts.insert_member_change',
  text: `
    insert into accounts.member_change
      (account_id, id, member_id, member_name, procedure, subject, records, fields)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
});

const fieldsMax = 30;
const subjectMax = 200;

/** Adds the change to the transaction that makes it. */
export const recordMemberChange = (tx: AccountWriter, change: MemberChange): void =>
  tx.defer(insert, changeToValues(tx, change));

export interface Acceptance {
  accountId: string;
  member: Change['member'];
}

/** Adds the acceptance of an invitation, after better-auth has committed it. */
export async function recordAcceptance(query: Query, { accountId, member }: Acceptance): Promise<void> {
  const change = { member, procedure: 'accounts.invitations.accept', input: {} };
  await query(insert, changeToValues({ accountId, now: databaseTime() }, change));
}

type Change = Omit<MemberChange, 'member'> & { member: Pick<MemberChange['member'], 'userId' | 'name'> };

function changeToValues(
  { accountId, now }: Pick<AccountWriter, 'accountId' | 'now'>,
  { member, procedure, input, subject: named }: Change,
): unknown[] {
  const given = Object.entries(typeof input === 'object' && input !== null ? input : {});
  const isId = ([name, value]: [string, unknown]): boolean =>
    /^(id|\w{1,60}Id)$/.test(name) && typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value);
  const records = given.filter(isId).map(([field, id]) => ({ field, id: String(id) }));
  // The input is as it was sent, so it may have fields that the procedure ignores.
  const fields = given.flatMap((entry) => (!isId(entry) && /^\w{1,100}$/.test(entry[0]) ? [entry[0]] : []));
  const subject = named ?? given.find(([name]) => ['title', 'label', 'provider'].includes(name))?.[1];
  return [
    accountId,
    createId(now),
    member.userId,
    member.name,
    procedure,
    typeof subject === 'string' ? storableText(subject) : null,
    JSON.stringify(records.slice(0, fieldsMax)),
    fields.slice(0, fieldsMax),
  ];
}

/** Postgres cannot store NUL and halves of surrogate pairs. */
const storableText = (text: string): string => text.slice(0, subjectMax).replaceAll('\0', '').toWellFormed();

// $1 account, $2 id before which the page begins, $3 limit, $4 member or null.
const select = (condition: string) => `
  select id, member_id as "memberId", member_name as "memberName", procedure, subject, records, fields
  from accounts.member_change
  where account_id = $1 and ($2::uuid is null or id < $2) ${condition}
  order by id desc limit $3`;

const row = {
  id: column.id,
  memberId: column.id,
  memberName: column.text,
  procedure: column.text,
  subject: nullable(column.text),
  records: column.json<ChangedRecord[]>(),
  fields: column.textsOf<string>(),
};

const selectChanges = statement({ name: 'accounts.select_member_changes', text: select(''), row });
const selectChangesOf = statement({
  name: 'accounts.select_changes_of_member',
  text: select('and member_id = $4'),
  row,
});

/** A page of the audit log, newest first. */
export async function listMemberChanges(
  { query, accountId }: AccountReader,
  { cursor, limit, memberId }: z.output<typeof ListChangesInput>,
) {
  const scope = { list: 'member_changes', accountId, filters: { memberId } };
  const values = [accountId, cursorId(cursor, scope) ?? null, limit + 1];
  const rows =
    memberId === undefined
      ? await query(selectChanges, values)
      : await query(selectChangesOf, [...values, memberId]);
  return toPage(rows, {
    limit,
    scope,
    toItem: (change): MemberChangeOutput => ({ ...change, at: idTime(change.id).toISOString() }),
  });
}

// $2 and $3 begin and end the millisecond of the change.
const selectAuthor = statement({
  name: 'accounts.select_author_of_change',
  text: `
    select member_id as "memberId", member_name as "memberName" from accounts.member_change
    where account_id = $1 and id >= $2 and id < $3 and records @> jsonb_build_array(jsonb_build_object('id', $4::text))
    order by id desc limit 1`,
  row: { memberId: column.id, memberName: column.text },
});

/**
 * The member who changed a record at this time, which is the `updatedAt` of the record: both are the time of the call. Null if it was
 * changed over the API.
 */
export async function findChangeAuthor(
  { query, accountId }: AccountReader,
  { recordId, at }: z.output<typeof ChangeAuthorInput>,
) {
  const from = new Date(at);
  const span = [idAt(from), idAt(new Date(from.getTime() + 1))];
  const [author] = await query(selectAuthor, [accountId, ...span, recordId]);
  return author ?? null;
}
