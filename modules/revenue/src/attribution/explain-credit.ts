// Explains a credit in plain sentences, for the API and the dashboard.
import { attributionWindows } from '@service/webinars';
import type {
  Credit,
  LossReason,
  LostTouch,
  ShownReason,
  TouchLevel,
  UnattributedReason,
} from '../credit.ts';
import { secondsAfter, toleranceMinutes } from './attribute.ts';

interface ExplainOptions {
  /** The time of the purchase that was attributed, also in the explanation of its refunds and renewals. */
  purchasedAt: Date;
  /** The event that has the credit. */
  type: string;
  /** Of the buyer. */
  email: string | null;
  /** Titles of webinars and headlines of offers, by id. One that is missing is left out of the sentence. */
  titles: ReadonlyMap<string, string>;
}

/** A credit by the rule, or by the decision of an owner. */
export interface ExplainedCredit extends Omit<Credit, 'reason'> {
  reason: ShownReason | null;
  decision?: { madeBy: string; madeAt: Date; why: string } | null;
}

/** A touch, credited or not. */
type Step = Pick<LostTouch, 'level' | 'webinarId' | 'interactionId'> & { at: Date };

/**
 * Says why an event has its credit, or none and what would have led to one: one sentence for each step of the decision, then one for
 * each touch that lost.
 */
export function explain(credit: ExplainedCredit, options: ExplainOptions): string[] {
  const { purchasedAt, type, titles } = options;
  const { touches, moreCount, isCut } = credit.considered;
  return [
    ...inherited(type, credit),
    ...(credit.renewalOf === null
      ? []
      : [`Renewal of the purchase ${momentText(purchasedAt)}, and has its credit.`]),
    ...(credit.level === 'unattributed'
      ? notCredited(credit, options)
      : credited(credit, credit.level, purchasedAt, titles)),
    ...touches.map((touch) => lostSentence(touch, purchasedAt, titles)),
    ...(moreCount > 0
      ? [`${moreCount} more ${moreCount === 1 ? 'touch was' : 'touches were'} compared.`]
      : []),
    ...(isCut ? ['Only the newest 200 registrations of the buyer were compared.'] : []),
  ];
}

const inherited = (type: string, { reason }: ExplainedCredit): string[] =>
  type === 'purchase' || reason === 'unpaired' || reason === 'waiting'
    ? []
    : ['This event has the credit of its purchase.'];

const unattributedTexts: Record<UnattributedReason, string> = {
  no_email: 'Not credited: the purchase has no e-mail address, click id or registration id.',
  no_match: 'Not credited: no registration matches the purchase.',
  outside_window: 'Not credited: everything that the buyer did was too long before the purchase.',
  touch_after_purchase: 'Not credited: everything that the buyer did was after the purchase.',
  cancelled: 'Not credited: the registration was cancelled before the purchase, and the buyer never joined.',
  unpaired: 'Not credited yet: the purchase of this event has not arrived.',
  waiting: 'Counts nothing yet: the refund or chargeback that it takes back has not arrived.',
};

function notCredited(credit: ExplainedCredit, { email, purchasedAt }: ExplainOptions): string[] {
  const { reason, decision, windowDays, considered } = credit;
  if (reason === 'taken_away' || reason === null) {
    return decision ? [decidedBy('The credit was taken away', decision)] : [];
  }
  const counted = `Something that they did up to ${daysText(windowDays)} before the purchase would have led to a credit.`;
  if (reason === 'no_match' && email !== null) {
    return [
      `Not credited: ${email} was registered for no webinar of this workspace at the time of the purchase.`,
      counted,
    ];
  }
  const missing: Partial<Record<UnattributedReason, string>> = {
    no_email: 'One of them would have led to the buyer.',
    outside_window: neededWindow(considered.touches, purchasedAt),
    touch_after_purchase: counted,
  };
  return [unattributedTexts[reason], missing[reason] ?? []].flat();
}

/** The shortest attribution window that has one of the touches. */
function neededWindow(touches: readonly LostTouch[], purchasedAt: Date): string {
  const early = touches.filter(({ lost }) => lost === 'outside_window');
  const seconds = Math.min(...early.map(({ at }) => -secondsAfter(purchasedAt, new Date(at))));
  const days = attributionWindows.find((window) => window * 86_400 >= seconds);
  return days === undefined
    ? `The longest attribution window is ${daysText(attributionWindows.at(-1)!)}.`
    : `An attribution window of ${daysText(days)} would have led to a credit.`;
}

const decidedBy = (what: string, { madeBy, madeAt, why }: NonNullable<ExplainedCredit['decision']>): string =>
  `${what} by ${madeBy} ${momentText(madeAt)}: “${why}”.`;

const matchTexts = {
  click_id: 'The purchase has the id of a click on a link of this workspace.',
  registration_id: 'The purchase has the id of a registration.',
  email: 'The e-mail address of the purchase has a registration.',
};

function credited(
  credit: ExplainedCredit,
  level: TouchLevel,
  purchasedAt: Date,
  titles: ExplainOptions['titles'],
): string[] {
  const step = { ...credit, level, webinarId: credit.webinarId!, at: credit.touchAt! };
  const sentence = `Credited: ${describe(step, titles)}, ${distance(step.at, purchasedAt)}.`;
  if (credit.decision) return [decidedBy('Credited by hand', credit.decision), sentence];
  return [
    ...(credit.matchedBy ? [matchTexts[credit.matchedBy]] : []),
    sentence,
    secondsAfter(purchasedAt, step.at) > 0
      ? `Up to ${toleranceMinutes} min after the purchase count, because clocks differ.`
      : `The attribution window is ${daysText(credit.windowDays)}.`,
    ...(credit.considered.isNamed ? ['The purchase has the id of this click.'] : []),
  ];
}

function lostSentence(touch: LostTouch, purchasedAt: Date, titles: ExplainOptions['titles']): string {
  const at = new Date(touch.at);
  const step = describe({ ...touch, at }, titles);
  return `Not credited: ${step}, ${distance(at, purchasedAt)}. ${lossTexts[touch.lost](touch)}`;
}

const strongerThan: Record<TouchLevel, string> = {
  offer_click: '',
  attended: 'An offer click counts before a joined session.',
  registered: 'An offer click or a joined session counts before a registration.',
};

const lossTexts: Record<LossReason, (touch: LostTouch) => string> = {
  outside_window: ({ windowDays }) => `The attribution window is ${daysText(windowDays)}.`,
  after_purchase: () => `Only touches up to ${toleranceMinutes} min after the purchase count.`,
  cancelled: () => 'The registration was cancelled before the purchase, and the buyer never joined.',
  earlier_touch: () => 'The last one counts.',
  weaker_level: ({ level }) => strongerThan[level],
  other_click_named: () => 'The purchase has the id of another click.',
};

/** A touch as the part of a sentence: `clicked the offer “Launch” in “Webinar” on 2026-11-20 at 10:00:00 UTC`. */
function describe({ level, webinarId, interactionId, at }: Step, titles: ExplainOptions['titles']): string {
  const webinar = quote(titles.get(webinarId)) ?? 'a webinar';
  const offer = quote(titles.get(interactionId ?? ''));
  const actions: Record<TouchLevel, string> = {
    offer_click: `clicked ${offer ? `the offer ${offer}` : 'an offer'} in ${webinar}`,
    attended: `joined ${webinar}`,
    registered: `registered for ${webinar}`,
  };
  return `${actions[level]} ${momentText(at)}`;
}

/** `on 2026-11-20 at 10:00:00 UTC` */
function momentText(at: Date): string {
  const [day, time] = at.toISOString().slice(0, 19).split('T');
  return `on ${day} at ${time} UTC`;
}

const quote = (title: string | undefined): string | undefined =>
  title === undefined ? undefined : `“${title}”`;

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** `2 days 3 h before the purchase`. */
function distance(at: Date, purchasedAt: Date): string {
  const seconds = secondsAfter(purchasedAt, at);
  if (seconds === 0) return 'at the time of the purchase';
  return `${durationText(Math.abs(seconds))} ${seconds < 0 ? 'before' : 'after'} the purchase`;
}

/** The units of a duration, in seconds. */
const units = [
  ['day', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Every unit that is not zero, so that a touch one second outside the window is not "30 days" before the purchase. */
function durationText(seconds: number): string {
  let rest = seconds;
  const parts: string[] = [];
  for (const [unit, length] of units) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${unit === 'day' && count > 1 ? 'days' : unit}`);
  }
  return parts.join(' ');
}
