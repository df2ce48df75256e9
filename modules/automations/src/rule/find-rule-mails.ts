import { column, statement, type Query } from '@service/database';
import type { SavedRuleMail } from '@service/mails';
import type { Rule } from '../entities.ts';

const select = statement({
  name: 'automations.select_rule_mails',
  text: `
    select r.emails, r.email_texts as texts, r.generation
    from unnest($1::uuid[], $2::uuid[]) as k (account_id, id)
    cross join lateral (select * from automations.rule where account_id = k.account_id and id = k.id and enabled limit 1) r`,
  row: {
    emails: column.json<Rule['emails']>(),
    texts: column.json<Rule['emailTexts']>(),
    generation: column.integer,
  },
});

/** The e-mail actions of enabled rules of any accounts, by id. mails reads them when it sends. */
export async function findRuleMails(
  query: Query,
  keys: readonly { accountId: string; id: string }[],
): Promise<Map<string, SavedRuleMail>> {
  if (keys.length === 0) return new Map();
  const rules = await query(select, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]);
  return new Map(
    rules.flatMap(({ emails, texts, generation }) =>
      emails.map((email): [string, SavedRuleMail] => [
        email.id,
        { ...email, ...texts[email.id]!, generation },
      ]),
    ),
  );
}
