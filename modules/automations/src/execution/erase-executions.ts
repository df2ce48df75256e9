import { column, statement } from '@service/database';
import type { ErasePerson } from '@service/module';

const executionsMax = 2000;

// Their conditions contain values of the person. Timers and firings have ids only.
const deleteExecutions = statement({
  name: 'automations.delete_executions_of_person',
  text: `
    with found as materialized (
      select f.id from automations.execution f where f.account_id = $1 and f.registration_id = any($2::uuid[]) limit $3
    ), gone as (
      delete from automations.execution e using found where e.account_id = $1 and e.id = found.id returning e.id
    )
    select count(*)::int as count from gone`,
  row: { count: column.integer },
});

export const eraseExecutions: ErasePerson = async ({ query, accountId }, { registrationIds }) => {
  const [gone] = await query(deleteExecutions, [accountId, registrationIds, executionsMax]);
  return gone!.count === executionsMax ? 'more' : null;
};
