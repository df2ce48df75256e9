import { expect, test } from 'vitest';
import { createTestAccount, createTestMember, testApi, type TestApi } from '../support/api.ts';
import { signInMember, type Member } from '../support/member.ts';

interface Definition {
  type: 'query' | 'mutation' | 'subscription';
  meta?: { ownerOnly?: boolean };
}

/** The queries and mutations of the dashboard, with their role. A test of its own covers the stream. */
function proceduresOf({ api }: TestApi): { path: string; type: Definition['type']; isOwnerOnly: boolean }[] {
  const procedures = api.service.router._def.procedures as unknown as Record<string, { _def: Definition }>;
  return Object.entries(procedures)
    .filter(([, { _def: definition }]) => definition.type !== 'subscription')
    .map(([path, { _def: definition }]) => ({
      path,
      type: definition.type,
      isOwnerOnly: definition.meta?.ownerOnly === true,
    }));
}

type Procedure = ReturnType<typeof proceduresOf>[number];

/** The code that a call with an empty input is refused with. */
async function refusalOf(member: Member, service: TestApi, { path, type }: Procedure): Promise<string> {
  const headers = { 'Content-Type': 'application/json', Origin: service.baseUrl };
  const { json } =
    type === 'mutation'
      ? await member.send(path, { method: 'POST', headers, body: '{}' })
      : await member.send(`${path}?input=%7B%7D`, { headers });
  return json.error?.data?.code ?? json.code ?? 'answered';
}

test('the procedures for owners refuse a member, and no other procedure refuses them for their role', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const max = await signInMember(service, await createTestMember(service, accountId));
  const procedures = proceduresOf(service);
  const refused: string[] = [];
  for (const procedure of procedures) {
    if ((await refusalOf(max, service, procedure)) === 'owner_required') refused.push(procedure.path);
  }
  expect(refused).toEqual(procedures.filter(({ isOwnerOnly }) => isOwnerOnly).map(({ path }) => path));
  expect(refused).toEqual(expect.arrayContaining(['keys.revoke', 'accounts.members.remove']));
});

test('every procedure refuses a person who is not a member of the workspace, and a person without a sign-in session', async () => {
  await using service = await testApi();
  const victim = await createTestAccount(service);
  const stranger = await createTestAccount(service);
  const asStranger = await signInMember(service, stranger);
  const intruder: Member = {
    ...asStranger,
    send: (path, init) =>
      asStranger.send(path, { ...init, headers: { ...init?.headers, 'x-workspace': victim.accountId } }),
  };
  const signedOut: Member = {
    ...asStranger,
    send: (path, init) => asStranger.send(path, { ...init, headers: { ...init?.headers, cookie: '' } }),
  };
  // The refusals of the stream are in test/api/stream.test.ts.
  for (const procedure of proceduresOf(service).filter(({ type }) => type !== 'subscription')) {
    expect(await refusalOf(intruder, service, procedure), procedure.path).toBe('sign_in_required');
    expect(await refusalOf(signedOut, service, procedure), procedure.path).toBe('sign_in_required');
  }
});
