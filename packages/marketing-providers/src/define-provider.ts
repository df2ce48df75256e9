// The rules that are the same for all tools: one call without redirects, bounded answers, outcomes of a status, reasons without secrets.
import { oneLine, withoutPassword } from '@service/mail';
import { callApi, readWait, secretNamesOf } from '@service/outbound-http';
import type {
  Answer,
  Call,
  Catalogue,
  CatalogueField,
  MarketingProvider,
  ProviderDefinition,
  StepOutcome,
  ToolContext,
  ToolRequest,
  Verification,
} from './marketing-provider.ts';
import { listAt, textAt } from './read-json.ts';

const sendLimitMs = 15_000;
const verifyLimitMs = 10_000;
/** All pages of a catalogue. */
const catalogueLimitMs = 60_000;
/** An answer to a batch of 100 contacts has about 200 KB. */
const sendBytesMax = 512 * 1024;
/** A page of fields. HubSpot answers with all of its properties at once. */
const pageBytesMax = 4 * 1024 * 1024;
/** All pages of a catalogue. Parsing them takes a part of a second of the process. */
const catalogueBytesMax = 8 * 1024 * 1024;
const reasonLengthMax = 300;
/** Secrets are searched for in so many characters of a text of a tool. */
const searchedLengthMax = 2000;
/** Four characters of a shorter secret would help to guess it. */
const shownLengthMin = 16;

/** Completes the definition of a tool. */
export function defineProvider<
  Credential extends Record<string, string | undefined>,
  const Id extends string,
>(definition: ProviderDefinition<Credential, Id>): MarketingProvider<Credential, Id> {
  const { batch } = definition;
  const secretNames = secretNamesOf(definition.credential);
  const secretsOf = (credential: Credential): string[] =>
    secretNames.map((name) => credential[name] ?? '').filter((secret) => secret !== '');

  const hideSecrets = (text: string, credential: Credential): string =>
    // The second form is that of Basic authentication.
    secretsOf(credential).reduce(
      (rest, pass) => withoutPassword(rest, { user: '', pass }).replaceAll(basic(pass), '***'),
      text,
    );

  /** Removes the secrets from every text of an outcome. */
  const tidy = <T>(value: T, credential: Credential): T => {
    const tidyText = (text: string): string => {
      const start = text.slice(0, searchedLengthMax).toWellFormed();
      return oneLine(hideSecrets(start, credential)).slice(0, reasonLengthMax).toWellFormed();
    };
    const tidyAll = (inner: unknown): unknown => {
      if (typeof inner === 'string') return tidyText(inner);
      if (Array.isArray(inner)) return inner.map(tidyAll);
      if (typeof inner !== 'object' || inner === null) return inner;
      return Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, tidyAll(each)]));
    };
    return tidyAll(value) as T;
  };

  const addressed = (request: ToolRequest, credential: Credential, baseUrl: string | undefined) => {
    const address = new URL(definition.baseUrl(credential));
    const origin = baseUrl ?? address.origin;
    return {
      url: `${origin}${address.pathname.replace(/\/+$/, '')}${request.path}`,
      headers: { ...definition.headers(credential), ...request.headers },
    };
  };

  const call = (
    request: ToolRequest,
    credential: Credential,
    { http: agent, baseUrl, signal }: ToolContext,
    limits: { deadlineMs: number; maxResponseBytes: number },
  ): ReturnType<typeof callApi> => {
    const { method, body } = request;
    return callApi({ agent, signal, method, body, ...addressed(request, credential, baseUrl), ...limits });
  };

  return {
    ...definition,
    async verify(credential, context) {
      const limits = { deadlineMs: verifyLimitMs, maxResponseBytes: sendBytesMax };
      const once: Call = (request) => call(request, credential, context, limits);
      return tidy(await definition.verify(credential, once), credential);
    },
    async readCatalogue(credential, context) {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(catalogueLimitMs)]);
      let leftBytes = catalogueBytesMax;
      const once: Call = async (request) => {
        if (leftBytes <= 0) return { lost: 'The fields, tags and lists are longer than 8 MB.' };
        const limits = { deadlineMs: sendLimitMs, maxResponseBytes: Math.min(pageBytesMax, leftBytes) };
        const answer = await call(request, credential, { ...context, signal }, limits);
        if ('text' in answer) leftBytes -= Buffer.byteLength(answer.text);
        return answer;
      };
      const read = await definition.catalogue(once);
      return 'failed' in read ? tidy(read, credential) : bound(read);
    },
    show(request, credential, baseUrl) {
      const { url, headers } = addressed(request, credential, baseUrl);
      const shown = Object.entries(headers).map(([name, value]) => [name, hideSecrets(value, credential)]);
      return { ...request, url, headers: Object.fromEntries(shown) };
    },
    async send(request, credential, context) {
      // Ids of tools are encoded in paths, so that a brace is a value that is not known yet.
      if (request.path.includes('{'))
        return { lost: 'The call needs the answer of an earlier one.', mayHaveArrived: false };
      // Encoding leaves points as they are, and as an id they would lead to another call.
      if (/\/\.{1,2}(?:[/?]|$)/.test(request.path))
        return { lost: 'The id consists of points.', mayHaveArrived: false };
      const limits = { deadlineMs: sendLimitMs, maxResponseBytes: sendBytesMax };
      return await call(request, credential, context, limits);
    },
    read(request, answer, change, credential) {
      if ('lost' in answer) return tidy(later(answer), credential);
      return tidy(definition.read(request, answer, change) ?? outcomeOfStatus(answer, request), credential);
    },
    readBatch(request, answer, changes, credential) {
      if ('lost' in answer) return tidy(later(answer), credential);
      const outcomes = batch!.read(request, answer, changes);
      if (outcomes === undefined) return tidy(outcomeOfStatus(answer, request), credential);
      if (!Array.isArray(outcomes)) return tidy(outcomes, credential);
      // A tool may answer with fewer results than contacts, or with none (HubSpot).
      const isComplete = outcomes.length === changes.length;
      const counted = `The answer is about ${outcomes.length} of ${changes.length} contacts.`;
      return tidy(isComplete ? outcomes : later({ lost: counted, mayHaveArrived: true }), credential);
    },
    readJob(request, answer, credential) {
      if ('lost' in answer || answer.status >= 500) return 'pending';
      if (answer.status === 429) return { throttledMs: throttledMsOf(answer) };
      const { job } = batch!;
      if (answer.status < 200 || answer.status >= 300) return { refused: [] };
      const result = job!.read(request, answer);
      return result === 'pending' ? result : { ...result, refused: tidy(result.refused, credential) };
    },
    last4: (credential) => {
      const [secret = ''] = secretsOf(credential);
      return secret.length < shownLengthMin ? '' : secret.slice(-4);
    },
  };
}

const basic = (pass: string): string => Buffer.from(`any:${pass}`).toString('base64');

const later = ({ lost, mayHaveArrived }: { lost: string; mayHaveArrived: boolean }): StepOutcome => ({
  kind: 'later',
  reason: lost,
  retryAfterMs: undefined,
  mayHaveArrived,
});

/** The outcome of an answer that lacks the id of the contact, for which later calls wait. */
export const noId = ({ status }: Answer): StepOutcome =>
  later({ lost: `The answer has no id of the contact (HTTP ${status}).`, mayHaveArrived: true });

/** Makes requests that count in these limits. `call`: the method and the path, such as `GET /account`. */
export const requestsIn =
  (...limits: string[]) =>
  (step: string, name: string, call: `${ToolRequest['method']} ${string}`, body?: object): ToolRequest => {
    const [method, path] = call.split(/ (.*)/s) as [ToolRequest['method'], string];
    return { step, name, limits, method, path, ...(body && { body }) };
  };

/** The steps that write the values of a contact. */
const writingSteps = new Set(['contact', 'create', 'import', 'batch']);
/**
 * A repetition may help. 404: removed since the look-up, so that the next attempt makes it again. 409, 423, 425, 477: another call works on
 * the contact (https://developers.hubspot.com/docs/api-reference/error-handling).
 */
const laterStatuses = new Set([404, 408, 409, 423, 425, 477]);

/** The outcome of an answer that the tool's own rules do not know. A batch that is `person_refused` is halved by the caller. */
export function outcomeOfStatus(answer: Answer, { step }: Pick<ToolRequest, 'step'>): StepOutcome {
  const { status, headers } = answer;
  const reason = reasonOf(answer);
  if (status >= 200 && status < 300) return { kind: 'done' };
  if (status === 401) return { kind: 'credential_refused', reason };
  if (status === 429) return throttled(answer);
  // 504: the tool's gateway has lost the answer.
  if (status < 400 || laterStatuses.has(status) || status >= 500) {
    // Brevo names the end of its window in every answer, so other headers are no wait.
    const retryAfterMs = readWait({ 'retry-after': headers['retry-after'] });
    return { kind: 'later', reason, retryAfterMs, mayHaveArrived: status === 504 };
  }
  const isOfValues = status === 400 || status === 422 || (status === 413 && step === 'batch');
  if (isOfValues && writingSteps.has(step)) return { kind: 'person_refused', reason };
  // 402, 403, or a call that the tool does not take any more: the change waits, and the connection needs attention.
  return { kind: 'not_allowed', reason };
}

const throttledMinMs = 1000;

/** The connection waits for as long as the tool says, or for `defaultMs`, and at least a second. */
export function throttled(answer: Answer, defaultMs?: number): StepOutcome {
  return { kind: 'throttled', reason: reasonOf(answer), retryAfterMs: throttledMsOf(answer) ?? defaultMs };
}

function throttledMsOf({ headers }: Answer): number | undefined {
  const waitMs = readWait(headers);
  return waitMs === undefined ? undefined : Math.max(waitMs, throttledMinMs);
}

/** The tool's message, in the fields that the six use for it. */
export function reasonOf({ status, json, text }: Answer): string {
  const [first] = listAt(json, 'errors');
  const message =
    textAt(json, 'message') ??
    textAt(json, 'detail') ??
    textAt(first, 'detail') ??
    textAt(first, 'message') ??
    textAt(first, 'title') ??
    (typeof first === 'string' ? first : undefined);
  return `${message ?? text.slice(0, reasonLengthMax)} (HTTP ${status})`.trim();
}

/** An id in a path, or its placeholder, such as `{contact}`, in previews. */
export const idOr = (placeholder: string, id: string | undefined): string =>
  id === undefined ? placeholder : encodeURIComponent(id);

/** A call of `verify` or `catalogue`. */
export const readRequest = (name: string, path: string): ToolRequest => ({
  step: 'read',
  name,
  limits: [],
  method: 'GET',
  path,
});

/** The verification of the answer to a call that every working key can make. Undefined: it worked. */
export function refusalOf(
  answer: Answer | { lost: string },
): Exclude<Verification, { kind: 'accepted' }> | undefined {
  if ('lost' in answer) return { kind: 'unreachable', reason: answer.lost };
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  const reason = reasonOf(answer);
  if (status === 401) return { kind: 'refused', reason };
  return { kind: status === 402 || status === 403 ? 'not_allowed' : 'unreachable', reason };
}

/** The calls that follow each other for one list of the catalogue. */
const pagesMax = 100;
const itemsMax = 1000;

/** Reads a list page by page, at most 1,000 items. `next` gives the request for the page after an answer. */
export async function readPages(
  call: Call,
  first: ToolRequest,
  read: { items(json: unknown): unknown[]; next(json: unknown): ToolRequest | undefined },
): Promise<unknown[] | { failed: string }> {
  const items: unknown[] = [];
  let request: ToolRequest | undefined = first;
  for (let page = 0; request !== undefined && page < pagesMax && items.length < itemsMax; page++) {
    const answer = await call(request);
    if ('lost' in answer) return { failed: answer.lost };
    if (answer.status < 200 || answer.status >= 300) return { failed: reasonOf(answer) };
    if (answer.json === undefined) return { failed: 'The answer is too long, or not JSON.' };
    for (const item of read.items(answer.json).slice(0, itemsMax - items.length)) items.push(item);
    request = read.next(answer.json);
  }
  return items;
}

const nameLengthMax = 200;
const choicesMax = 200;

/** Of the fields, the tags and the lists each. */
const kindBytesMax = 512 * 1024;

/** The first items that fit into 512 KB of JSON, at most 1,000. */
function firstOf<Item>(items: readonly Item[]): Item[] {
  let leftBytes = kindBytesMax - '[]'.length;
  return items.slice(0, itemsMax).filter((item) => {
    leftBytes -= Buffer.byteLength(JSON.stringify(item)) + ','.length;
    return leftBytes >= 0;
  });
}

/**
 * At most 1,000 and 512 KB of each kind, with names of at most 200 characters. Other keys and ids are left out, because they would not be valid
 * any more.
 */
function bound({ fields, tags, lists }: Catalogue): Catalogue {
  const shorten = (text: string): string => oneLine(text).slice(0, nameLengthMax).toWellFormed();
  // Postgres stores neither halves of characters nor NUL.
  const isUsable = (text: string): boolean =>
    text !== '' && text.length <= nameLengthMax && text.isWellFormed() && !/\p{Cc}/u.test(text);
  const isChoice = ({ type }: CatalogueField): boolean => type === 'choice' || type === 'multiple_choice';
  return {
    fields: firstOf(
      fields
        .filter(({ key }) => isUsable(key))
        .map((field) => ({
          key: field.key,
          label: shorten(field.label),
          type: field.type,
          ...(isChoice(field) && { choices: (field.choices ?? []).filter(isUsable).slice(0, choicesMax) }),
        })),
    ),
    tags: firstOf(tags.filter(({ name }) => isUsable(name))),
    lists: firstOf(
      lists.filter(({ id }) => isUsable(id)).map(({ id, name }) => ({ id, name: shorten(name) })),
    ),
  };
}
