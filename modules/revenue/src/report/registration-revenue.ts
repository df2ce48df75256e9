import type { RevenueReader } from '@service/attendees';
import { column, statement } from '@service/database';

const sumByRegistration = statement({
  name: 'revenue.sum_by_registration',
  text: `
    select c.registration_id, e.currency, sum(coalesce(c.counted_minor, e.amount_minor))::float8 as net
    from unnest($2::uuid[]) as wanted (id)
    join revenue.credit c on c.account_id = $1 and c.registration_id = wanted.id
    join revenue.revenue_event e on e.account_id = c.account_id and e.id = c.id
    group by c.registration_id, e.currency
    order by c.registration_id, e.currency`,
  row: { registration_id: column.id, currency: column.text, net: column.float },
});

/** The net revenue of registrations, by registration id. Given to the module attendees by the composition. */
export const readRegistrationRevenue: RevenueReader = async ({ query, accountId }, registrationIds) => {
  if (registrationIds.length === 0) return new Map();
  const rows = await query(sumByRegistration, [accountId, registrationIds]);
  const byRegistration = Map.groupBy(rows, (row) => row.registration_id);
  return new Map(
    [...byRegistration].map(([id, own]) => [
      id,
      own.map(({ currency, net }) => ({ currency, netMinor: net })),
    ]),
  );
};
