import { column, statement, type AccountReader } from '@service/database';
import type { SavedRuleMail } from '@service/mails';
import type { Rule } from '../entities.ts';

const select = statement({
  name: 'automations.select_rule_mails',
  text: `
    select emails, email_texts as texts, generation from automations.rule
    where account_id = $1 and id = any($2::uuid[]) and enabled`,
  row: {
    emails: column.json<Rule['emails']>(),
    texts: column.json<Rule['emailTexts']>(),
    generation: column.integer,
  },
});

/** The e-mail actions of enabled rules, by id. mails reads them when it sends. */
export async function findRuleMails(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  ruleIds: readonly string[],
): Promise<Map<string, SavedRuleMail>> {
  const rules = await query(select, [accountId, ruleIds]);
  return new Map(
    rules.flatMap(({ emails, texts, generation }) =>
      emails.map((email): [string, SavedRuleMail] => [
        email.id,
        { ...email, ...texts[email.id]!, generation },
      ]),
    ),
  );
}
