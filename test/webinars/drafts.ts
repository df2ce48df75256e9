import {
  callRest,
  createTestAccount,
  createTestKey,
  inMinutes,
  scheduleAt,
  type TestApi,
} from '../support/api.ts';

/** A key of a new account. */
export async function keyOf(service: TestApi): Promise<string> {
  const { accountId } = await createTestAccount(service);
  return (await createTestKey(service, accountId)).key;
}

/** A draft that can be published. */
export async function createDraft(service: TestApi, key: string, fields: object = {}) {
  const body = { title: 'Launch', schedule: scheduleAt(inMinutes(60)), ...fields };
  return (await callRest(service, 'POST /webinars', { key, body })).json.data;
}
