// Sends the change of one contact: call after call, as the tool plans them from what is done.
import type { OpenMarketingConnection } from '@service/connections';
import type {
  ContactChange,
  MarketingProvider,
  Progress,
  StepOutcome,
  ToolRequest,
} from '@service/marketing-providers';
import { createHash } from 'node:crypto';
import type { Attempted } from './decide-next-attempt.ts';

/** The answer of a tool, or `lost`. */
export type ToolAnswer = Awaited<ReturnType<MarketingProvider['send']>>;

/**
 * Makes a call when the limits of the tool have room for it and for those that follow it, because a change that ends in between is sent from
 * its beginning again. `throttledMs`: they have none for so long. 0: the lane ends.
 */
export type MakeCall = (
  request: ToolRequest,
  later: readonly ToolRequest[],
) => Promise<ToolAnswer | { throttledMs: number }>;

/** A part of the change that the tool did not take, or an event whose answer was lost. The rest was sent. */
interface Problem {
  /** A sentence without its full stop and without words of the tool: the reason of the connection shows it. */
  text: string;
  /** The tool's words, which may name the person. */
  reason: string;
}

export interface Sent {
  attempted: Attempted;
  problems: Problem[];
  calls: string[];
  /** The HTTP status of the last answer. */
  status: number | null;
  bodyHash: string | null;
  /** Events that must not be sent again, also when the rest of the change is. */
  endedEvents: ReadonlySet<string>;
  /** Lists that the person was added to. They may leave them before the rest of the change is sent again. */
  endedLists: ReadonlySet<string>;
}

interface SendParts {
  provider: MarketingProvider;
  credential: OpenMarketingConnection['credential'];
  call: MakeCall;
  /** The contact is erased. The change has no parts. */
  isErasure?: boolean;
  /** The entries of `learnt` that are the same for all contacts, for the next ones. */
  known: Map<string, string>;
  /** Called before the next call when a tool has got an event that it would count twice. */
  onEventSent: (ids: ReadonlySet<string>) => Promise<void>;
}

/** No change needs more calls. A tool that refuses another field each time ends here. */
const callsMax = 120;

export async function sendContact(given: ContactChange, parts: SendParts): Promise<Sent> {
  const { provider, credential, call, known, isErasure = false } = parts;
  const calls: string[] = [];
  const problems: Problem[] = [];
  const endedEvents = new Set<string>();
  const kept = new Set(known.keys());
  const hash = createHash('sha256');
  let change = provider.events.exist ? given : { ...given, events: [] };
  let progress: Progress = { done: new Set(), learnt: Object.fromEntries(known) };
  let status: number | null = null;

  const end = (attempted: Attempted): Sent => ({
    attempted,
    problems,
    calls,
    status,
    bodyHash: calls.length > 0 ? hash.digest('hex') : null,
    endedEvents,
    endedLists: new Set(
      attempted.kind === 'done' || progress.done.size === 0
        ? []
        : listsWithoutCall(provider, change, progress),
    ),
  });

  const finishStep = async (step: string): Promise<void> => {
    progress = { ...progress, done: new Set([...progress.done, step]) };
    const event = eventOf(step, change);
    if (!event) return;
    endedEvents.add(event);
    if (!provider.events.areIdempotent) await parts.onEventSent(endedEvents);
  };

  if (isErasure && !provider.erase)
    return end({
      kind: 'skipped',
      reason: `${provider.name} cannot erase people over its API. Delete the contact there.`,
    });
  while (calls.length < callsMax) {
    const [request, ...later] = isErasure
      ? provider.erase!(change.email, progress)
      : provider.plan(change, progress);
    if (!request) return end(calls.length === 0 ? nothingToSend : done);
    const answer = await call(request, later);
    if ('throttledMs' in answer)
      return end({
        kind: 'throttled',
        reason: 'The limit of calls is used up.',
        retryAfterMs: answer.throttledMs,
        isOwn: true,
      });
    calls.push(request.name);
    hash.update(`${request.method} ${request.path}\n${JSON.stringify(request.body) ?? ''}\n`);
    status = 'lost' in answer ? null : answer.status;
    const outcome = provider.read(request, answer, change, credential);
    const isEventTwice =
      outcome.kind === 'later' && outcome.mayHaveArrived === true && !provider.events.areIdempotent;
    switch (outcome.kind) {
      case 'done':
        problems.push(...(outcome.refusedFields ?? []).map(problemOfField));
        progress = { ...progress, learnt: { ...progress.learnt, ...outcome.learnt } };
        for (const [name, id] of Object.entries(outcome.learnt ?? {}))
          if (/^(tag|account):/.test(name)) known.set(name, id);
        await finishStep(request.step);
        break;
      case 'fields_refused':
      case 'missing': {
        if (outcome.kind === 'missing' && outcome.subject === 'tag') {
          const entry = `tag:${outcome.key}`;
          known.delete(entry);
          if (kept.delete(entry)) {
            // The tag may have been made again since its id was kept, so the tool is asked once more.
            progress = { ...progress, learnt: withoutKey(progress.learnt, entry) };
            break;
          }
        }
        const less = withoutRefused(change, outcome);
        // The tool refused something that the change does not contain. The same request at once would be refused again, without an end.
        if (less === change) return end({ kind: 'later', reason: outcome.reason, retryAfterMs: undefined });
        problems.push(...problemsOf(outcome));
        change = less;
        break;
      }
      case 'later':
        if (!isEventTwice || eventOf(request.step, change) === undefined)
          return end({ kind: 'later', reason: outcome.reason, retryAfterMs: outcome.retryAfterMs });
        // The tool may have the event and would count it twice, so it is not repeated.
        problems.push({ text: 'The answer to an event was lost', reason: outcome.reason });
        await finishStep(request.step);
        break;
      case 'left':
      case 'person_refused':
      case 'throttled':
      case 'credential_refused':
      case 'not_allowed':
      default:
        return end(outcome);
    }
  }
  return end({ kind: 'later', reason: 'The tool asks for too many calls.', retryAfterMs: undefined });
}

/** The lists that no remaining call names. */
function listsWithoutCall(provider: MarketingProvider, change: ContactChange, progress: Progress): string[] {
  const callsOf = (add: readonly string[]): string =>
    JSON.stringify(provider.plan({ ...change, lists: { ...change.lists, add } }, progress));
  const { add } = change.lists;
  const remaining = callsOf(add);
  return add.filter((list) => callsOf(add.filter((one) => one !== list)) === remaining);
}

const done: Attempted = { kind: 'done', reason: null };
const nothingToSend: Attempted = { kind: 'skipped', reason: 'There is nothing to send.' };

const withoutKey = (record: Progress['learnt'], key: string): Progress['learnt'] =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

/** The id of the event that a step sends. */
const eventOf = (step: string, { events }: ContactChange): string | undefined =>
  events.find(({ id }) => step === `event:${id}`)?.id;

const problemOfField = ({ key, reason }: { key: string; reason: string }): Problem => ({
  text: `The field ${key} was not taken`,
  reason,
});

type Refused = Extract<StepOutcome, { kind: 'fields_refused' | 'missing' }>;

const problemsOf = (outcome: Refused): Problem[] =>
  outcome.kind === 'fields_refused'
    ? outcome.fields.map(problemOfField)
    : [
        {
          text: `The ${outcome.subject} ${outcome.key} does not exist at the tool`,
          reason: outcome.reason,
        },
      ];

/** The change without its refused parts. Returns `change` itself if it contains none of them. */
function withoutRefused(change: ContactChange, outcome: Refused): ContactChange {
  if (outcome.kind === 'fields_refused') {
    const refused = new Set(outcome.fields.map(({ key }) => key));
    const fields = change.fields.filter(({ key }) => !refused.has(key));
    return fields.length === change.fields.length ? change : { ...change, fields };
  }
  const { subject, key } = outcome;
  if (subject === 'event') {
    const events = change.events.filter(({ name }) => name !== key);
    return events.length === change.events.length ? change : { ...change, events };
  }
  const part = subject === 'tag' ? 'tags' : 'lists';
  const { add, remove } = change[part];
  const less = { add: add.filter((one) => one !== key), remove: remove.filter((one) => one !== key) };
  return less.add.length + less.remove.length === add.length + remove.length
    ? change
    : { ...change, [part]: less };
}

/** One change of a batch. `alone`: the tool refused it, and its own call says why. */
export type BatchResult = Sent | 'alone';

interface BatchParts extends Pick<SendParts, 'provider' | 'credential' | 'call'> {
  /** Called with the id of a job that the tool has accepted, before the changes count as done. */
  onJob: (id: string) => Promise<void>;
}

/** A batch whose fields are refused is sent again so many times. A tool that refuses another field each time ends here. */
const repeatsMax = 5;

/**
 * Sends changes in one call. Those whose fields are refused are sent again together without them, and a call that is refused as a whole is
 * halved until the culprit stands alone. Returns a result for each change, in their order.
 */
export async function sendBatch(
  changes: readonly ContactChange[],
  parts: BatchParts,
  repeats = 0,
): Promise<BatchResult[]> {
  const { provider, credential, call } = parts;
  const batch = provider.batch!;
  if (changes.length < 2) return changes.map(() => 'alone');
  const request = batch.plan(changes);
  const answer = await call(request, []);
  const sent = (attempted: Attempted, isCalled = true): Sent => ({
    attempted,
    problems: [],
    calls: isCalled ? [request.name] : [],
    status: 'status' in answer ? answer.status : null,
    bodyHash: isCalled
      ? createHash('sha256')
          .update(JSON.stringify(request.body) ?? '')
          .digest('hex')
      : null,
    endedEvents: new Set(
      attempted.kind === 'done' ? changes.flatMap(({ events }) => events.map(({ id }) => id)) : [],
    ),
    endedLists: new Set(),
  });
  if ('throttledMs' in answer) {
    const reason = 'The limit of calls is used up.';
    return changes.map(() =>
      sent({ kind: 'throttled', reason, retryAfterMs: answer.throttledMs, isOwn: true }, false),
    );
  }
  const outcomes = provider.readBatch(request, answer, changes, credential);
  const job = 'status' in answer && answer.status < 300 ? batch.job?.idOf(answer) : undefined;
  if (job !== undefined) await parts.onJob(job);
  /** Sends these again in one call, without the fields that the tool has refused. */
  const sendAgain = async (
    refused: { change: ContactChange; outcome: FieldsRefused }[],
  ): Promise<BatchResult[]> => {
    const results = await sendBatch(
      refused.map(({ change, outcome }) => withoutRefused(change, outcome)),
      parts,
      repeats + 1,
    );
    return results.map((result, index) => {
      if (result === 'alone') return result;
      const { change, outcome } = refused[index]!;
      const isConcerned = withoutRefused(change, outcome) !== change;
      return {
        ...result,
        problems: [...(isConcerned ? problemsOf(outcome) : []), ...result.problems],
        calls: [request.name, ...result.calls],
      };
    });
  };
  const mayRepeat = repeats < repeatsMax;
  if (isList(outcomes)) {
    const refused = changes.flatMap((change, index) => {
      const outcome = outcomes[index];
      return mayRepeat && outcome?.kind === 'fields_refused' ? [{ change, outcome }] : [];
    });
    const repeated = new Map<ContactChange, BatchResult>();
    for (const [index, result] of (await sendAgain(refused)).entries())
      repeated.set(refused[index]!.change, result);
    return changes.map((change, index) => repeated.get(change) ?? resultOf(outcomes[index], sent));
  }
  if (isOfAll(outcomes)) return changes.map(() => resultOf(outcomes, sent));
  if (outcomes.kind === 'fields_refused' && mayRepeat)
    return sendAgain(changes.map((change) => ({ change, outcome: outcomes })));
  const middle = Math.ceil(changes.length / 2);
  return [
    ...(await sendBatch(changes.slice(0, middle), parts, repeats)),
    ...(await sendBatch(changes.slice(middle), parts, repeats)),
  ];
}

type FieldsRefused = Extract<StepOutcome, { kind: 'fields_refused' }>;

const isList = (outcomes: readonly StepOutcome[] | StepOutcome): outcomes is readonly StepOutcome[] =>
  Array.isArray(outcomes);

/** The tool or the key is the reason, not one of the changes. */
const isOfAll = ({ kind }: StepOutcome): boolean =>
  ['done', 'throttled', 'later', 'credential_refused', 'not_allowed'].includes(kind);

/** A tool that answers for fewer contacts than it was given has dropped the others without a word. */
function resultOf(outcome: StepOutcome | undefined, sent: (attempted: Attempted) => Sent): BatchResult {
  if (outcome === undefined || outcome.kind === 'fields_refused' || outcome.kind === 'missing')
    return 'alone';
  if (outcome.kind !== 'done') return sent(outcome);
  return { ...sent(done), problems: (outcome.refusedFields ?? []).map(problemOfField) };
}
