// The statements of the calls of one account name that account on each table, and no other.
import { toolCatalogue } from '@service/composition';
import { declaredStatements } from '@service/database/testing';
import { createTools } from '@service/mcp';
import { listRoutes } from '@service/rest';
import { expect, inject, test } from 'vitest';
import { accountBindings } from '../support/account-bindings.ts';
import { callRest, testApi, type TestApi } from '../support/api.ts';
import { createEverything, pathOf, type Everything } from '../support/everything.ts';
import { callTool } from '../support/mcp.ts';
import { signInMember, type Member } from '../support/member.ts';
import { startReceiver } from '../support/receiver.ts';
import { onStatement, type SentStatement } from '../support/sent-statements.ts';
import { argumentsOf, idsOf } from '../support/tool-arguments.ts';

const tables = new Map(inject('tables'));

/** The tables on which a statement does not name an account. */
const unboundTables = (text: string): string[] =>
  accountBindings(text, tables)
    .filter(({ values }) => values.length === 0)
    .map(({ table }) => table);

test('a table that is bound to no account is found, also in a join, a subquery and a written row', () => {
  const join = 'select from webinars.session s join webinars.webinar w on';
  const bound = [
    `${join} (w.account_id, w.id) = (s.account_id, s.webinar_id) where s.account_id = $1`,
    `with s as (select account_id, id from webinars.session where account_id = any($1))
     update webinars.webinar w set title = '' from s where w.account_id = s.account_id`,
    `select from webinars.session s where (account_id, webinar_id) in (select account_id, id from webinars.webinar where account_id = $1)`,
    `insert into webinars.slug (account_id, slug) select p.account_id, $2 from unnest($1::uuid[]) as p (account_id)`,
    `${join} w.id = s.webinar_id where s.account_id = $1 and w.account_id = $1`,
  ];
  expect(bound.map(unboundTables)).toEqual(bound.map(() => []));

  const [session, webinar] = ['webinars.session', 'webinars.webinar'];
  const unbound: [text: string, tables: string[]][] = [
    ['select from webinars.session where id = $1', [session]],
    ['update webinars.session set status = $2 where id = $1', [session]],
    [`${join} w.id = s.webinar_id where s.account_id = $1`, [webinar]],
    [`${join} (w.account_id, w.id) = (s.account_id, s.webinar_id) where s.id = $1`, [session, webinar]],
    ['select from webinars.session where account_id = $1 or id = $2', [session]],
    ['select from webinars.session where account_id = coalesce($1, account_id)', [session]],
    [`select from webinars.session s left join webinars.webinar w on s.account_id = $1`, [session, webinar]],
    ['with s as (delete from webinars.session returning *) select from s where account_id = $1', [session]],
    [
      'select (select count(*) from webinars.session where id = w.id) from webinars.webinar w',
      [webinar, session],
    ],
    [
      `insert into webinars.session (account_id, id) select account_id, id from webinars.webinar`,
      [session, webinar],
    ],
    [
      'select from webinars.session where account_id = $1 and exists (select from webinars.webinar)',
      [webinar],
    ],
    [
      `select from webinars.session s where not exists (
         select from webinars.webinar w where w.account_id = s.account_id and w.account_id = $1)`,
      [session],
    ],
    ['select from webinars.session where account_id = $1 union all select from webinars.session', [session]],
  ];
  for (const [text, expected] of unbound)
    expect(unboundTables(text).toSorted(), text).toEqual(expected.toSorted());
});

test('every declared statement names the account on every table, or says why it does not', () => {
  const unbound: Record<string, string[]> = {};
  const needless: string[] = [];
  for (const { name, text, allAccounts } of declaredStatements()) {
    // The queue of jobs has no accounts.
    if (text.includes('graphile_worker.')) continue;
    const found = unboundTables(text);
    if (found.length > 0 && allAccounts === undefined) unbound[name ?? text] = found;
    if (found.length === 0 && allAccounts !== undefined) needless.push(name ?? text);
  }
  expect(unbound).toEqual({});
  expect(needless).toEqual([]);
});

/** Statements that read rows of other accounts for the calls of one account, and the reason. */
const namedStatements: Record<string, string> = {
  'keys.admit': 'A request carries only its key, which names the account.',
  'connections.select_sync_targets': 'A process remembers which accounts have a marketing tool.',
};

test('calls of an account over REST, MCP and the dashboard name it on every table, except in the named statements', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const account = service.db.spareAccounts!.shift()!;
  const everything = await createEverything(service, receiver.url, account);
  const member = await signInMember(service, account);
  const sent: SentStatement[] = [];
  {
    using _ = onStatement((statement) => void sent.push(statement));
    expect(await callEverything(service, everything, member)).toBeGreaterThan(150);
    await service.api.service.activity.flush();
  }

  const names = new Map(declaredStatements().map(({ text, name }) => [text, name ?? text]));
  const bindingsOf = memoize((text: string) => accountBindings(text, tables));
  const found = new Map<string, string>();
  for (const statement of sent)
    for (const { table, values } of bindingsOf(statement.text))
      if (
        values.length === 0 ||
        !values.every((value) => isAccount(valueOf(value, statement), account.accountId))
      )
        found.set(names.get(statement.text) ?? statement.text, `${table} ${values.join(' ')}`);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.keys(namedStatements).map((name) => [name, expect.any(String)])),
  );
});

function memoize<Value>(work: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (!known.has(text)) known.set(text, work(text));
    return known.get(text)!;
  };
}

/** `$1` is a parameter, `'text'` a value in the text. */
const valueOf = (value: string, { values }: SentStatement): unknown =>
  value.startsWith('$') ? values[Number(value.slice(1)) - 1] : value.replaceAll("'", '');

const isAccount = (value: unknown, accountId: string): boolean =>
  Array.isArray(value) ? value.every((each) => isAccount(each, accountId)) : value === accountId;

interface Procedure {
  _def: { type: 'query' | 'mutation' | 'subscription'; inputs: { shape?: object }[] };
}

/** Every route, and the queries and tools that have none. Those that end something come last. Returns how many succeeded. */
async function callEverything(service: TestApi, everything: Everything, member: Member): Promise<number> {
  const { key, ids, bodies } = everything;
  const { router } = service.api.service;
  const routes = listRoutes(router);
  const known: Record<string, unknown> = {
    ...ids,
    ...idsOf(everything),
    sessionIds: [ids['sessionId']],
    registrationIds: [ids['registrationId']],
    ids: [ids['registrationId']],
    when: 'upcoming',
    q: 'ada',
  };
  const procedures = router._def.procedures as unknown as Record<string, Procedure>;
  const isRoute = (procedure: string): boolean => routes.some((route) => route.procedure === procedure);
  const queries = Object.entries(procedures).filter(
    ([path, { _def: definition }]) => definition.type === 'query' && !isRoute(path),
  );
  let succeeded = 0;
  for (const [path, { _def: definition }] of queries) {
    const names = definition.inputs.flatMap(({ shape }) => Object.keys(shape ?? {}));
    const input = Object.fromEntries(
      names.filter((name) => name in known).map((name) => [name, known[name]]),
    );
    const { status } = await member.send(`${path}?input=${encodeURIComponent(JSON.stringify(input))}`);
    succeeded += Number(status < 300);
  }
  const endsLast = <Each>(each: readonly Each[], nameOf: (one: Each) => string): Each[] => {
    const isEnd = (one: Each): number =>
      Number(/DELETE|delete|archive|cancel|publish|stop/.test(nameOf(one)));
    return each.toSorted((a, b) => isEnd(a) - isEnd(b));
  };
  const tools = createTools(router, toolCatalogue).filter(({ procedure }) => !isRoute(procedure.procedure));
  for (const tool of endsLast(tools, ({ name }) => name)) {
    const { isError } = await callTool(service, key, tool.name, argumentsOf(tool, routes, everything));
    succeeded += Number(!isError);
  }
  for (const { method, template } of endsLast(routes, (route) => `${route.method} ${route.template}`)) {
    const body = bodies[`${method} ${template}`];
    const { status } = await callRest(service, `${method} ${pathOf(template, ids)}`, { key, body });
    succeeded += Number(status < 300);
  }
  return succeeded;
}
