import { setTimeout as wait } from 'node:timers/promises';
import { retryAfterMs, type Http, type HttpAnswer, type HttpCall } from './http.ts';

export type Api = ReturnType<typeof createApi>;

interface ErrorBody {
  code?: string;
  message?: string;
  issues?: { path: string; message: string }[];
}

/** A call that the service refused, with the message of the service. */
export class Refusal extends Error {
  readonly status: number;
  readonly issues: { path: string; message: string }[];

  constructor({ method, path }: HttpCall, { status, json }: HttpAnswer) {
    const { code, message, issues = [] } = (json ?? {}) as ErrorBody;
    const details = issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ');
    super(`${method} ${path} was answered ${status} ${code ?? ''}. ${message ?? ''} ${details}`.trim());
    this.status = status;
    this.issues = issues;
  }
}

interface ApiOptions {
  http: Http;
  key: string;
  /** Called with the wait when the rate limit is used up. */
  onLimit(ms: number): void;
  signal: AbortSignal;
}

/** The REST API as an integrator calls it. A 429 is retried after its Retry-After. */
export function createApi({ http, key, onLimit, signal }: ApiOptions) {
  let pause: Promise<void> | undefined;

  /** All calls wait together, because they share the limit. */
  const waitOut = (ms: number): Promise<void> => {
    if (pause) return pause;
    onLimit(ms);
    pause = wait(ms, undefined, { signal }).finally(() => (pause = undefined));
    return pause;
  };

  const request = async (method: HttpCall['method'], path: string, body?: unknown): Promise<unknown> => {
    const call: HttpCall = {
      name: 'api',
      method,
      path: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    for (;;) {
      const answer = await http.call(call);
      if (answer.status < 300) return answer.json;
      if (answer.status !== 429) throw new Refusal(call, answer);
      await waitOut(retryAfterMs(answer));
    }
  };
  const data = async <Data>(answer: Promise<unknown>): Promise<Data> =>
    ((await answer) as { data: Data } | undefined)?.data as Data;

  return {
    get: <Data>(path: string) => data<Data>(request('GET', path)),
    post: <Data>(path: string, body?: unknown) => data<Data>(request('POST', path, body)),
    patch: <Data>(path: string, body: unknown) => data<Data>(request('PATCH', path, body)),
    delete: async (path: string): Promise<void> => void (await request('DELETE', path)),
    /** A list from its first page to its last. */
    async *list<Item>(path: string): AsyncGenerator<Item> {
      const page = `${path}${path.includes('?') ? '&' : '?'}limit=100`;
      for (let cursor: string | null = ''; cursor !== null;) {
        const answer = (await request(
          'GET',
          cursor === '' ? page : `${page}&cursor=${encodeURIComponent(cursor)}`,
        )) as { data: Item[]; pagination: { nextCursor: string | null } };
        yield* answer.data;
        cursor = answer.pagination.nextCursor;
      }
    },
  };
}
