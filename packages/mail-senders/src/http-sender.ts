// The part that all senders over HTTPS share: one request without redirects, lost answers, and the waits that providers ask for.
import { type ApiAnswer, callApi, readWait } from '@service/outbound-http';
import { defineSender } from './define-sender.ts';
import { textOf } from './mail-event.ts';
import type { PreparedMail } from './prepare-mail.ts';
import type {
  Later,
  MailSender,
  SendContext,
  SenderDomain,
  SendOutcome,
  Verification,
} from './mail-sender.ts';

export interface Answer extends ApiAnswer {
  /** An empty object when the body is not a JSON object or list. */
  json: Record<string, unknown>;
}

export interface ProviderRequest {
  path: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

type SenderDefinition<Credential extends Record<string, string | undefined>> = Parameters<
  typeof defineSender<Credential>
>[0];

export interface HttpProvider<Credential extends Record<string, string | undefined>> extends Omit<
  SenderDefinition<Credential>,
  'send' | 'verify'
> {
  /** The address of the API. The version is in the paths. */
  baseUrl(credential: Credential): string;
  /** Pure: the request for a mail. */
  buildRequest(mail: PreparedMail, credential: Credential): ProviderRequest;
  /** Pure: the outcome of an answer. Undefined: the status decides (`outcomeOfStatus`). */
  readAnswer(answer: Answer): SendOutcome | undefined;
  verify(credential: Credential, call: Call): Promise<Verification>;
}

/** Makes a call for `verify`. */
export type Call = (request: ProviderRequest) => Promise<Answer | { lost: string }>;

const sendLimitMs = 15_000;
const verifyLimitMs = 10_000;
/** For lists of domains. */
const verifyBytesMax = 64 * 1024;

export function defineHttpSender<Credential extends Record<string, string | undefined>>(
  provider: HttpProvider<Credential>,
): MailSender<Credential> {
  const { buildRequest, readAnswer, idempotencyMs, baseUrl } = provider;
  return defineSender<Credential>({
    ...provider,
    async send(mail, credential, context) {
      const request = buildRequest(mail, credential);
      const base = context.baseUrl ?? baseUrl(credential);
      const answer = await exchange(request, base, context, { deadlineMs: sendLimitMs });
      if (!('lost' in answer)) return readAnswer(answer) ?? outcomeOfStatus(answer, idempotencyMs);
      if (answer.mayHaveArrived && idempotencyMs === undefined)
        return { kind: 'uncertain', reason: answer.lost };
      return { ...later(answer.lost), mayHaveArrived: answer.mayHaveArrived };
    },
    verify: (credential, context) =>
      provider.verify(credential, (request) =>
        exchange(request, context.baseUrl ?? baseUrl(credential), context, {
          deadlineMs: verifyLimitMs,
          maxResponseBytes: verifyBytesMax,
        }),
      ),
  });
}

async function exchange(
  { method, headers, body, path }: ProviderRequest,
  base: string,
  { http: agent, signal }: SendContext,
  limits: { deadlineMs: number; maxResponseBytes?: number },
): Promise<Answer | { lost: string; mayHaveArrived: boolean }> {
  // A base address may be given with the version at its end, as the providers' pages write it.
  const url = base.replace(/(\/v3)?\/*$/, '') + path;
  const answer = await callApi({ agent, signal, url, method, headers, body, ...limits });
  if ('lost' in answer) return answer;
  const isRecord = typeof answer.json === 'object' && answer.json !== null;
  return { ...answer, json: isRecord ? (answer.json as Record<string, unknown>) : {} };
}

const domainsMax = 100;

/** The domains of a list in an answer. Items of another form are left out. */
export function readDomains(
  list: unknown,
  read: (item: Record<string, unknown>) => { name: unknown; isVerified: boolean },
): SenderDomain[] {
  const items: unknown[] = Array.isArray(list) ? list.slice(0, domainsMax) : [];
  return items.flatMap((item) => {
    if (typeof item !== 'object' || item === null) return [];
    const { name, isVerified } = read(item as Record<string, unknown>);
    const text = textOf(name);
    return text === undefined ? [] : [{ name: text, isVerified }];
  });
}

/** The outcome of an answer that the provider's own rules do not know. */
export function outcomeOfStatus(answer: Answer, idempotencyMs: number | undefined): SendOutcome {
  const { status } = answer;
  const reason = reasonOf(answer);
  if (status >= 200 && status < 300) return { kind: 'sent', providerMessageId: undefined };
  if (status === 401 || status === 403) return { kind: 'credential_refused', reason };
  if (status === 429) return rest(answer);
  // The provider's gateway has lost the answer of the service behind it.
  if (status === 504)
    return idempotencyMs === undefined
      ? { kind: 'uncertain', reason }
      : { ...later(reason), mayHaveArrived: true };
  if (status >= 500 || status === 408 || status < 400) {
    const retryAfterMs = readWait(answer.headers);
    return { ...later(reason), retryAfterMs, restsLane: retryAfterMs !== undefined };
  }
  return { kind: 'mail_refused', reason };
}

/** The provider takes no mail for a while: `defaultMs`, unless it says for how long. */
export function rest(answer: Answer, defaultMs?: number): Later {
  const retryAfterMs = readWait(answer.headers) ?? defaultMs;
  return { ...later(reasonOf(answer)), retryAfterMs, restsLane: true };
}

const later = (reason: string): Later => ({
  kind: 'later',
  reason,
  retryAfterMs: undefined,
  restsLane: false,
});

/** The provider's message, in the fields that the five use for it. */
export function reasonOf({ status, json, text }: Answer): string {
  const [error] = Array.isArray(json['errors']) ? (json['errors'] as { message?: unknown }[]) : [];
  const message = [json['message'], json['Message'], error?.message].find((said) => typeof said === 'string');
  return `${message ?? text} (HTTP ${status})`.trim();
}
