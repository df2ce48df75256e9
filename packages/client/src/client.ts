import { ApiError } from './api-error.ts';
import { operations, type Operations } from './generated/operations.ts';
import { parseJson, send, sendDefaults, type Answer, type SendOptions } from './send.ts';

export interface ClientOptions extends Partial<SendOptions> {
  /** The address of the service, such as `https://webinars.example.com`. */
  baseUrl: string;
  /** An API key: `svc_live_` and 32 characters. */
  key: string;
}

interface CallOptions {
  signal?: AbortSignal;
}

/** `path`, `query` and `body` of an operation. A write also takes the headers `Idempotency-Key` and `If-Match`. */
type Input<Data> = Omit<Data, 'url' | 'headers'> &
  (Data extends { headers?: infer Headers }
    ? 'Idempotency-Key' extends keyof NonNullable<Headers>
      ? { headers?: Headers }
      : unknown
    : unknown) &
  CallOptions;

/** The body of the answer, and the response with its status and headers. */
type Answered<Body> = (Body extends object ? Body : object) & { response: Response };

type Call<Data, Body> =
  object extends Input<Data>
    ? (input?: Input<Data>) => Promise<Answered<Body>>
    : (input: Input<Data>) => Promise<Answered<Body>>;

/** An operation whose answer is a page can also read all pages. */
type Pages<Data, Body> = Body extends { data: readonly (infer Item)[]; pagination: unknown }
  ? {
      /** The records of this page and of all later ones. Reads the next page when its first record is asked for. */
      all: object extends Input<Data>
        ? (input?: Input<Data>) => AsyncGenerator<Item, void, undefined>
        : (input: Input<Data>) => AsyncGenerator<Item, void, undefined>;
    }
  : unknown;

type Operation<Data, Body> = Call<Data, Body> & Pages<Data, Body>;

/** A method for each operation of the API. It rejects with an `ApiError` when the service refuses the call. */
export type Client = {
  [Name in keyof Operations]: Operation<Operations[Name]['input'], Operations[Name]['answer']>;
} & {
  /** Calls a path below `/api/v1` that has no method here, such as `/openapi.json`. Resolves to an answer with any status. */
  request(method: string, path: string, input?: AnyInput): Promise<Answer>;
};

interface AnyInput extends CallOptions {
  path?: Record<string, string>;
  query?: { cursor?: string };
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * Makes a client. Writes have an `Idempotency-Key` of their own unless one is given in `headers`. A request without an answer, and one
 * that is answered 429, 500, 502, 503, 504 or 409 `idempotency_in_progress`, is sent again, after the time that `Retry-After` names.
 */
export function createClient({ baseUrl, key, ...changed }: ClientOptions): Client {
  const given = Object.entries(changed).filter(([, value]) => value !== undefined);
  const options: SendOptions = { ...sendDefaults, ...Object.fromEntries(given) };
  const root = `${baseUrl.replace(/\/+$/, '')}/api/v1`;

  const request = async (method: string, path: string, input: AnyInput = {}): Promise<Answer> => {
    const { body, signal } = input;
    // The names of headers are the same in any case, and those of the caller replace ours.
    const headers = new Headers(input.headers);
    const setUsual = (name: string, value: string): void =>
      void (headers.has(name) || headers.set(name, value));
    setUsual('Authorization', `Bearer ${key}`);
    if (body !== undefined) setUsual('Content-Type', 'application/json');
    if (method !== 'GET') setUsual('Idempotency-Key', crypto.randomUUID());
    const text = body === undefined ? undefined : JSON.stringify(body);
    return send(root + addressOf(path, input), { method, headers, body: text, signal }, options);
  };

  const call = async (method: string, path: string, input: AnyInput = {}): Promise<object> => {
    const { response, text } = await request(method, path, input);
    const body = (text === '' ? {} : parseJson(text)) as object | undefined;
    if (!response.ok || body === undefined) throw new ApiError(`${method} ${path}`, response, body);
    return { ...body, response };
  };

  async function* all(path: string, input: AnyInput = {}): AsyncGenerator<unknown, void, undefined> {
    let cursor: string | null | undefined = input.query?.cursor;
    while (cursor !== null) {
      const query = { limit: 100, ...input.query, ...(cursor !== undefined && { cursor }) };
      const page = (await call('GET', path, { ...input, query })) as Page;
      yield* page.data;
      const { nextCursor } = page.pagination;
      if (nextCursor === cursor) throw new TypeError(`GET ${path} answered its own cursor as the next one.`);
      cursor = nextCursor;
    }
  }

  const methods = Object.entries(operations).map(([name, [method, path, isPage]]) => {
    const operation = (input?: AnyInput) => call(method, path, input);
    return [
      name,
      isPage ? Object.assign(operation, { all: (input?: AnyInput) => all(path, input) }) : operation,
    ];
  });
  return { ...Object.fromEntries(methods), request } as Client;
}

interface Page {
  data: unknown[];
  pagination: { nextCursor: string | null };
}

/** The path with its parameters, and the query. A parameter that is left out stops the call before it is sent. */
function addressOf(template: string, { path = {}, query = {} }: AnyInput): string {
  const address = template.replaceAll(/\{(\w+)\}/g, (_place, name: string) => {
    const value = path[name];
    if (value === undefined || value === '') throw new TypeError(`${template} needs path.${name}.`);
    return encodeURIComponent(value);
  });
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, string | string[] | undefined][])
    for (const one of [value].flat()) if (one !== undefined) values.append(name, one);
  const text = values.toString();
  return text === '' ? address : `${address}?${text}`;
}
