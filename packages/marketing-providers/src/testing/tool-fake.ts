// The part that all fake tools share: contacts, keys, limits, faults, and a small HTTP server. It uses no code of the providers.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FieldType } from '../index.ts';

export interface FakeContact {
  id: string;
  email: string;
  /** By the tool's own key. */
  fields: Record<string, unknown>;
  tags: Set<string>;
  /** Ids of lists. */
  lists: Set<string>;
  /** `left`: unsubscribed, complained or suppressed. Only the person may come back. */
  consent: 'none' | 'pending' | 'given' | 'left';
  /** Lists that the person has left. */
  leftLists: Set<string>;
}

export interface FakeEvent {
  /** Undefined where the tool takes no id. */
  id: string | undefined;
  email: string;
  name: string;
  properties: Record<string, unknown>;
  value?: number;
  currency?: string;
}

export interface FakeAnswer {
  status: number;
  headers?: Record<string, string>;
  /** A text is sent unchanged. */
  body?: unknown;
}

/** Is applied to one request, each in turn. `lost`: acted on, then the connection breaks. `silent`: acted on, never answered. */
export type Fault = 'none' | 'rate_limited' | 'unavailable' | 'lost' | 'silent' | FakeAnswer;

export interface FakeRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  /** With names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Undefined when it is no JSON. */
  body: unknown;
}

export interface ToolState {
  /** The only key that is known. Undefined: it was revoked. */
  key: string | undefined;
  /** True: the key works, but it may not do anything. */
  lacksRights: boolean;
  /** By address in lower case. */
  contacts: Map<string, FakeContact>;
  /** Fields that exist, with their type in the tool's own word. */
  fields: Map<string, string>;
  tags: Set<string>;
  /** Names by id. */
  lists: Map<string, string>;
  /** New subscriptions wait for a confirmation of the person. */
  isDoubleOptIn: boolean;
  /** Names of events that exist, where the tool demands it. */
  eventNames: Set<string>;
  events: FakeEvent[];
  /** The causes of automations that have started, such as `list:L1`. */
  automations: string[];
  /** Addresses in lower case that an import refuses after it was accepted. */
  refusedByImports: Set<string>;
  /** The addresses that each import has refused, by its id. */
  imports: Map<string, string[]>;
  /** Addresses that were erased. */
  erased: string[];
  faults: Fault[];
  /** Every request in its order, also refused ones. */
  requests: FakeRequest[];
  /** Requests that a limit refused. */
  overLimit: number;
  /** Called when a request was acted on and gets no answer. */
  onSilent: (() => void) | undefined;
  /** The contact with this address, made if there is none. */
  contact(email: string): FakeContact;
}

/** Facts of a fake that tests need. */
export interface Samples {
  /** Keys of fields for texts and numbers that exist, and of the first name. */
  text: string;
  name: string;
  number: string;
  /** Two lists that exist, if the tool has lists. */
  lists: [id: string, other: string];
  /** An event that can be recorded. Undefined: the tool has no events. */
  event: string | undefined;
  /** The tool's reaction to a field that it does not have. `dropped`: it takes the rest and says nothing. */
  unknownField: 'taken' | 'refused' | 'dropped';
  /** A value that the tool does not take. Undefined: it takes every text. */
  wrongType: { key: string; value: string; becomes: 'refused' | 'dropped' } | undefined;
  /** The wait that the tool asks for when it answers a fault `rate_limited`. Undefined: it names none. */
  retryAfterMs: number | undefined;
  /** True when the owner chooses what a key may do. */
  keysHaveScopes: boolean;
  /** True when no call names the account of a key. */
  namesNoAccount?: boolean;
  /** The tool's word for a field of text. */
  textType: string;
  /** The types of its fields, in our words. */
  fieldTypes: FieldType[];
  /** Longer texts are cut. Undefined: 300 characters fit. */
  textBytesMax?: number;
  /** True when the field for numbers is one of text, because the tool has no other. */
  numberIsText?: boolean;
  /** True when the tool knows the lists that a person has left, and we add no such person to them. Others add a person who agrees again. */
  keepsLeftLists?: boolean;
  /** True when a batch carries the lists of each contact, and adds no person to a list that they have left. */
  batchHasLists?: boolean;
}

export interface ToolRules {
  /** Its field `key` is the key that the fake knows. */
  credential: Record<string, string>;
  samples: Samples;
  /** Gives the account its fields and lists. */
  setUp(state: ToolState): void;
  keyOf(request: FakeRequest): string | undefined;
  /** The answer for an unknown key. Repeats the key, as some tools do. */
  refused(key: string | undefined): FakeAnswer;
  /** The answer for a key without rights. Undefined: keys of this tool have all rights. */
  forbidden?: FakeAnswer;
  rateLimited(waitSeconds: number): FakeAnswer;
  unavailable: FakeAnswer;
  /** The limits that a request counts in, with their names. */
  limitsOf(request: FakeRequest): { name: string; count: number; windowMs: number }[];
  answer(request: FakeRequest, state: ToolState): FakeAnswer;
}

export interface ToolFake extends ToolState {
  /** Answers as over HTTP. `lost` and `silent`: acted on, without an answer. */
  handle(request: FakeRequest): FakeAnswer | 'lost' | 'silent';
}

export interface RunningFake extends ToolFake, AsyncDisposable {
  /** The origin. */
  baseUrl: string;
  /** Each request is acted on at once and answered after this time. */
  delayMs: number;
}

/** `now` in milliseconds turns the limits on. */
export function createToolFake(rules: ToolRules, { now }: { now?: () => number } = {}): ToolFake {
  const counts = new Map<string, number>();
  let ids = 0;
  const contacts: ToolState['contacts'] = new Map();
  const state: ToolState = {
    key: rules.credential['key'],
    lacksRights: false,
    contacts,
    fields: new Map(),
    tags: new Set(),
    lists: new Map(),
    isDoubleOptIn: false,
    eventNames: new Set(),
    events: [],
    automations: [],
    refusedByImports: new Set(),
    imports: new Map(),
    erased: [],
    faults: [],
    requests: [],
    overLimit: 0,
    onSilent: undefined,
    contact(email) {
      const known = contacts.get(email.toLowerCase());
      if (known) return known;
      const made: FakeContact = {
        id: String(1000 + ids++),
        email,
        fields: {},
        tags: new Set(),
        lists: new Set(),
        consent: 'none',
        leftLists: new Set(),
      };
      contacts.set(email.toLowerCase(), made);
      return made;
    },
  };
  rules.setUp(state);

  /** Fixed windows. Undefined: there was room. */
  function waitSeconds(request: FakeRequest): number | undefined {
    if (!now) return undefined;
    const limits = rules.limitsOf(request).map(({ name, count, windowMs }) => {
      const windowName = `${name} ${windowMs} ${Math.floor(now() / windowMs)}`;
      return { count, windowMs, windowName, used: counts.get(windowName) ?? 0 };
    });
    const full = limits.find(({ used, count }) => used >= count);
    if (full) return Math.ceil((full.windowMs - (now() % full.windowMs)) / 1000);
    for (const { windowName, used } of limits) counts.set(windowName, used + 1);
    return undefined;
  }

  function handle(request: FakeRequest): FakeAnswer | 'lost' | 'silent' {
    state.requests.push(request);
    const key = rules.keyOf(request);
    if (fake.key === undefined || key !== fake.key) return rules.refused(key);
    if (fake.lacksRights && rules.forbidden) return rules.forbidden;
    const fault = state.faults.shift() ?? 'none';
    if (fault === 'rate_limited') return rules.rateLimited(7);
    if (fault === 'unavailable') return rules.unavailable;
    if (typeof fault === 'object') return fault;
    const wait = waitSeconds(request);
    if (wait !== undefined) {
      fake.overLimit++;
      return rules.rateLimited(wait);
    }
    const answer = rules.answer(request, fake);
    return fault === 'none' ? answer : fault;
  }

  const fake: ToolFake = Object.assign(state, { handle });
  return fake;
}

/** Starts a fake on a free port of this machine. */
export async function startToolFake(fake: ToolFake): Promise<RunningFake> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = toFakeRequest(
        method,
        url,
        headers as FakeRequest['headers'],
        String(Buffer.concat(chunks)),
      );
      const answer = fake.handle(request);
      if (running.delayMs === 0) respond(answer, response);
      else setTimeout(() => respond(answer, response), running.delayMs);
    });
  });

  function respond(answer: FakeAnswer | 'lost' | 'silent', response: ServerResponse): void {
    if (answer === 'lost') return void response.destroy();
    if (answer === 'silent') return fake.onSilent?.();
    const { status, headers, body } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const running = Object.assign(fake, {
    baseUrl: `http://127.0.0.1:${port}`,
    delayMs: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return running;
}

/** `url` is a path with its query. */
export function toFakeRequest(
  method: string,
  url: string,
  headers: FakeRequest['headers'],
  text: string,
): FakeRequest {
  const { pathname: path, searchParams: query } = new URL(url, 'http://fake');
  return { method, path, query, headers, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Accepts an import. Returns its id and the items that it writes. */
export function acceptImport<Item>(
  { imports, refusedByImports }: ToolState,
  items: readonly Item[],
  emailOf: (item: Item) => string,
): { id: string; written: Item[] } {
  const isRefused = (item: Item): boolean => refusedByImports.has(emailOf(item).toLowerCase());
  const id = `import-${imports.size + 1}`;
  imports.set(id, items.filter(isRefused).map(emailOf));
  return { id, written: items.filter((item) => !isRefused(item)) };
}

export const isEmail = (text: unknown): text is string =>
  typeof text === 'string' && /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(text);
