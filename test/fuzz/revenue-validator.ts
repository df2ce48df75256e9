// An independent reading of revenue events: which ones may be stored, and as what. Written from the specification and the public
// documents of the formats, without code of the service.

/** A row of the ledger. */
export interface ExpectedRow {
  eventId: string;
  objectId: string;
  type: string;
  /** Undefined where a provider's address may be left out. */
  email: string | undefined;
  amount: string;
  currency: string;
  occurredAtMs: number;
}

/** `open`: the specification leaves it to the service. If it is stored, then as `row`. */
export type Judgement = { verdict: 'invalid' } | { verdict: 'valid' | 'open'; row: ExpectedRow };

type Verdict = Judgement['verdict'];

const amountMax = 999_999_999_999n;
const depthMax = { generic: 20, stripe: 50 };
const earliestMs = Date.UTC(2000, 0, 1);
const dayMs = 86_400_000;
/** Between this clock and the service's. */
const slackMs = 60_000;

const invalid: Judgement = { verdict: 'invalid' };

/** The expected answer of the generic door to a body with the right signature. */
export function judgeGeneric(bytes: Buffer): Judgement {
  const text = bytes.toString('utf8');
  const value = Buffer.from(text).equals(bytes) ? parse(text) : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid;
  const inspected = inspect(text);
  if (inspected.isRepeated || inspected.depth > depthMax.generic) return invalid;
  const fields = value as Record<string, unknown>;
  const { event_id: eventId, type, email, currency, timestamp } = fields;
  const literal = inspected.literals.get('amount_minor') ?? '';
  const verdicts = new Set(
    [
      isKey(eventId),
      ['purchase', 'refund', 'chargeback'].includes(String(type)) && typeof type === 'string',
      emailVerdict(email),
      isAmount(literal, type === 'purchase'),
      currencyVerdict(currency),
      timeVerdict(timestamp),
      isMissing(fields['original_transaction_id']) || isKey(fields['original_transaction_id']),
      ...['click_id', 'registration_id'].map((name) => isMissing(fields[name]) || isText(fields[name])),
    ].map((one): Verdict => (typeof one === 'string' ? one : one ? 'valid' : 'invalid')),
  );
  if (verdicts.has('invalid')) return invalid;
  const row: ExpectedRow = {
    eventId: eventId as string,
    objectId: eventId as string,
    type: type as string,
    email: (email as string).trim().toLowerCase(),
    amount: String(BigInt(literal)),
    currency: (currency as string).toUpperCase(),
    occurredAtMs: Date.parse(timestamp as string),
  };
  return { verdict: verdicts.has('open') ? 'open' : 'valid', row };
}

/** The expected answer of the Stripe door to an event of the fuzzer. An event of another type is invalid here. */
export function judgeStripe(bytes: Buffer): Judgement {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) return invalid;
  const event = parse(text.replace(/^\ufeff/, '')) as Record<string, any> | undefined; // oxlint-disable-line typescript/no-explicit-any -- anything may come
  const object = event?.['data']?.object;
  if (!isKey(event?.['id']) || typeof object !== 'object' || object === null || !isKey(object.id))
    return invalid;
  if (inspect(text).depth > depthMax.stripe) return invalid;
  const draft = draftOf(event!['type'], object);
  if (!draft || !Number.isSafeInteger(draft.amount) || draft.amount < 0 || draft.amount > Number(amountMax))
    return invalid;
  const seconds: unknown = draft.at ?? event!['created'];
  const occurredAtMs = Number(seconds) * 1000;
  if (!Number.isInteger(seconds) || !isTimeIn(occurredAtMs)) return invalid;
  const currency = currencyVerdict(object.currency);
  if (currency === 'invalid') return invalid;
  const isPlain =
    isSeconds(event!['created']) &&
    // Refunds and disputes always have it.
    isSeconds(object.created ?? (draft.type === 'purchase' ? 1 : undefined)) &&
    [object.payment_intent, object.charge].every((one) => isMissing(one) || isKey(one));
  const row: ExpectedRow = {
    eventId: event!['id'],
    objectId: object.id,
    type: draft.type,
    email: undefined,
    amount: String(BigInt(draft.isNegative ? -draft.amount : draft.amount)),
    currency: object.currency.toUpperCase(),
    occurredAtMs,
  };
  return { verdict: isPlain && currency === 'valid' ? 'valid' : 'open', row };
}

/** Whole seconds up to the year 9999. */
const isSeconds = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 253_402_300_800;

interface StripeDraft {
  type: string;
  amount: number;
  isNegative?: boolean;
  at?: unknown;
}

function draftOf(type: unknown, object: Record<string, unknown>): StripeDraft | undefined {
  const amount = object['amount'] as number;
  const status = object['status'];
  if (type === 'checkout.session.completed') {
    const isFree = object['payment_status'] === 'no_payment_required' && object['mode'] === 'payment';
    if (object['payment_status'] !== 'paid' && !isFree) return undefined;
    return { type: 'purchase', amount: object['amount_total'] as number };
  }
  if (type === 'refund.created' && (isMissing(status) || typeof status === 'string'))
    return { type: 'refund', amount, isNegative: true, at: object['created'] };
  const isTaken =
    type === 'charge.dispute.created'
      ? typeof status === 'string' && !status.startsWith('warning_')
      : type === 'charge.dispute.closed' && status === 'lost';
  if (isTaken) return { type: 'chargeback', amount, isNegative: true, at: object['created'] };
  if (type === 'charge.dispute.closed' && status === 'won') return { type: 'chargeback_reversal', amount };
  return undefined;
}

const isMissing = (value: unknown): boolean => value === null || value === undefined;

/** At most 255 characters, which JSON Schema counts as code points, that a database can store and that change no log. */
const isText = (value: unknown): boolean =>
  typeof value === 'string' &&
  Array.from(value).length <= 255 &&
  value.isWellFormed() &&
  !Array.from({ length: value.length }, (_, index) => value.charCodeAt(index)).some(isControl);

const isControl = (code: number): boolean =>
  (code < 0x20 && ![0x09, 0x0a, 0x0d].includes(code)) || (code >= 0x7f && code <= 0x9f);

const isKey = (value: unknown): boolean => isText(value) && value !== '';

function emailVerdict(value: unknown): Verdict {
  if (typeof value !== 'string') return 'invalid';
  const email = value.trim().toLowerCase();
  if (/^[a-z0-9]+@example\.com$/.test(email)) return 'valid';
  return email.length <= 254 && /^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+$/.test(email) ? 'open' : 'invalid';
}

/** Digits as they are written: no fraction, no exponent, no negative zero, at most twelve. */
function isAmount(literal: string, isPurchase: boolean): boolean {
  if (!/^-?(0|[1-9][0-9]{0,11})$/.test(literal) || literal === '-0') return false;
  return isPurchase ? !literal.startsWith('-') : literal === '0' || literal.startsWith('-');
}

const known = new Set(['EUR', 'USD', 'JPY', 'KWD', 'GBP', 'BHD']);
const unknown = new Set(['ZZZ', 'QQQ', 'ABC']);

function currencyVerdict(value: unknown): Verdict {
  if (typeof value !== 'string' || !/^[A-Za-z]{3}$/.test(value)) return 'invalid';
  const code = value.toUpperCase();
  return known.has(code) ? 'valid' : unknown.has(code) ? 'invalid' : 'open';
}

function timeVerdict(value: unknown): Verdict {
  if (typeof value !== 'string' || !isTimeIn(Date.parse(value))) return 'invalid';
  // Without an offset the time would be that of the server's zone.
  if (!/(Z|[+-]\d\d:?\d\d)$/i.test(value)) return 'invalid';
  // ISO 8601 has 24:00 for the end of a day, RFC 3339 does not.
  const isPlain = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d(\.\d{3})?(Z|[+-]\d\d:\d\d)$/.test(value);
  return isPlain && isCalendarDay(value.slice(0, 10)) && isFarFromBounds(Date.parse(value))
    ? 'valid'
    : 'open';
}

const isTimeIn = (ms: number): boolean => ms >= earliestMs - slackMs && ms <= Date.now() + dayMs + slackMs;

const isFarFromBounds = (ms: number): boolean => ms >= earliestMs && ms <= Date.now() + dayMs - slackMs;

/** `Date.parse` takes 30 February for 2 March. */
const isCalendarDay = (day: string): boolean =>
  new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Inspected {
  isRepeated: boolean;
  depth: number;
  /** The members of the outermost object as they are written. */
  literals: Map<string, string>;
}

const piece = /\s*("(?:[^"\\]|\\[^])*"|[{}[\],:]|[^\s{}[\],:"]+)/y;

/** Walks over a text that is valid JSON. A member that is repeated keeps its last literal. */
function inspect(text: string): Inspected {
  const found: Inspected = { isRepeated: false, depth: 0, literals: new Map() };
  const open: (Set<string> | undefined)[] = [];
  let name = '';
  let isName = false;
  piece.lastIndex = 0;
  for (let match = piece.exec(text); match; match = piece.exec(text)) {
    const part = match[1]!;
    if (part === '{' || part === '[') {
      open.push(part === '{' ? new Set() : undefined);
      found.depth = Math.max(found.depth, open.length);
      isName = part === '{';
    } else if (part === '}' || part === ']') open.pop();
    else if (part === ',') isName = open.at(-1) !== undefined;
    else if (isName && part !== ':') {
      const names = open.at(-1)!;
      const own = JSON.parse(part) as string;
      found.isRepeated ||= names.has(own);
      names.add(own);
      if (open.length === 1) name = own;
      isName = false;
    } else if (part !== ':' && open.length === 1) found.literals.set(name, part);
  }
  return found;
}
