import { signInMember, type Member } from './member.ts';

/** The dashboard's procedures over HTTP, as one signed-in person in one workspace. A refusal is thrown as its code. */
export interface DashboardClient extends Pick<Member, 'send'> {
  // oxlint-disable-next-line typescript/no-explicit-any -- each procedure has its own answer
  query(procedure: string, input?: unknown): Promise<any>;
  // oxlint-disable-next-line typescript/no-explicit-any
  mutate(procedure: string, input: unknown): Promise<any>;
}

/** The code with which a call is refused, or `accepted`. */
export const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    (error: Error) => error.message,
  );

export async function openDashboard(...person: Parameters<typeof signInMember>): Promise<DashboardClient> {
  const { send } = await signInMember(...person);
  const headers = { 'Content-Type': 'application/json', Origin: person[0].baseUrl };
  const call = async (...request: Parameters<Member['send']>): Promise<unknown> => {
    const { status, json } = await send(...request);
    if (json.error) throw Object.assign(new Error(json.error.data.code), { status });
    return json.result.data?.data;
  };
  return {
    send,
    query: (procedure, input) => {
      const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
      return call(procedure + query, { headers });
    },
    mutate: (procedure, input) => call(procedure, { method: 'POST', headers, body: JSON.stringify(input) }),
  };
}
