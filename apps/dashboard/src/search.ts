// What pages keep in the URL. Search parameters are whatever somebody typed: what a page understands is kept, the rest dropped.
import { deliveryStatuses, type DeliveryStatus } from './pages/delivery/delivery-status.ts';
import { eventTypes, type EventType } from './pages/webinar/trigger-text.ts';

export interface SignInSearch {
  /** Where to go afterwards. */
  redirect?: string;
}

export interface WebinarsSearch {
  /** The create dialog is open. */
  create?: true;
}

export interface WebinarSearch {
  tab?: 'registrations' | 'automations';
  /** An open create dialog. */
  create?: 'registration' | 'rule';
  /** The delivery, or the rule, whose drawer is open. */
  delivery?: string;
  rule?: string;
}

export interface SourceSearch {
  /** What its deliveries are narrowed down to. */
  status?: DeliveryStatus;
  event?: EventType;
  /** The delivery whose drawer is open. */
  delivery?: string;
  /** The dialog that is open. */
  dialog?: 'test' | 'recover' | 'details';
}

export interface KeysSearch {
  create?: true;
  /** The key whose revoke dialog is open. */
  revoke?: string;
}

export interface ActivitySearch {
  surface?: (typeof surfaces)[number];
  /** The last 24 hours when left out. */
  range?: (typeof activityRanges)[number];
  /** A part of the time picked in the histogram, instead of the range. ISO 8601. */
  from?: string;
  to?: string;
  /** Calls of one key. */
  key?: string;
  status?: (typeof activityStatuses)[number];
  /** Calls with this request id. */
  request?: string;
}

const surfaces = ['rest', 'mcp'] as const;
const activityRanges = ['last_hour', 'last_24_hours', 'last_7_days', 'last_30_days', 'last_90_days'] as const;
const activityStatuses = ['success', 'failure'] as const;

type Typed = Record<string, unknown>;

export const signInSearch = (typed: Typed): SignInSearch => ({ redirect: textOf(typed['redirect']) });

export const webinarsSearch = (typed: Typed): WebinarsSearch => ({ create: flagOf(typed['create']) });

export const webinarSearch = (typed: Typed): WebinarSearch => ({
  tab: choiceOf(typed['tab'], ['registrations', 'automations']),
  create: choiceOf(typed['create'], ['registration', 'rule']),
  delivery: textOf(typed['delivery']),
  rule: textOf(typed['rule']),
});

export const sourceSearch = (typed: Typed): SourceSearch => ({
  status: choiceOf(typed['status'], deliveryStatuses),
  event: choiceOf(typed['event'], eventTypes),
  delivery: textOf(typed['delivery']),
  dialog: choiceOf(typed['dialog'], ['test', 'recover', 'details']),
});

export const keysSearch = (typed: Typed): KeysSearch => ({
  create: flagOf(typed['create']),
  revoke: textOf(typed['revoke']),
});

export const activitySearch = (typed: Typed): ActivitySearch => {
  const [from, to] = [momentOf(typed['from']), momentOf(typed['to'])];
  return {
    surface: choiceOf(typed['surface'], surfaces),
    range: choiceOf(typed['range'], activityRanges),
    ...(from !== undefined && to !== undefined && from < to && { from, to }),
    key: idOf(typed['key']),
    status: choiceOf(typed['status'], activityStatuses),
    request: wordOf(typed['request']),
  };
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Numbers are typed too: a search parameter of digits arrives as one. */
const wordOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, 100) : undefined;
};

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : undefined;

const momentOf = (value: unknown): string | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};

const flagOf = (value: unknown): true | undefined => (value === true ? true : undefined);

const choiceOf = <const Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined => choices.find((choice) => choice === value);
