import type { ServiceClient } from '../../../trpc.ts';

type SignedTest = Awaited<ReturnType<ServiceClient['revenueSources']['signTest']['query']>>['data'];

export interface TestAnswer {
  status: number;
  /** The id in the ledger. Null when the event was refused, and for a provider whose answer has none. */
  id: string | null;
  /** The code of a refusal. */
  code: string | null;
}

/** Posts a signed test event. Throws when there is no answer. */
export async function postTestEvent({ path, headers, body }: SignedTest): Promise<TestAnswer> {
  // Without the cookie of the sign-in session, which a provider does not have either.
  const response = await fetch(path, { method: 'POST', headers, body, credentials: 'omit' });
  const answer = readObject(await response.text());
  return { status: response.status, id: textOf(answer['id']), code: textOf(answer['code']) };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Empty for a text that is no JSON object, such as the page of a proxy. */
function readObject(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}
