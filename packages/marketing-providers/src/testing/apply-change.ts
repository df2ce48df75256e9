import type { ContactChange, MarketingProvider, ProviderId, StepOutcome, ToolRequest } from '../index.ts';
import { credentialOf, type Send } from './fakes.ts';

export interface TakenStep {
  request: ToolRequest;
  outcome: StepOutcome;
}

const stepsMax = 100;

/**
 * Sends a change as a worker does: one step after the other, without the parts that the tool refuses. Ends with the first outcome that
 * needs a wait or a person. An empty list: there was nothing to do.
 */
export async function applyChange(
  provider: MarketingProvider<unknown, ProviderId>,
  original: ContactChange,
  send: Send,
): Promise<TakenStep[]> {
  const steps: TakenStep[] = [];
  const done = new Set<string>();
  let learnt: Record<string, string> = {};
  let change = original;
  while (steps.length < stepsMax) {
    const [request] = provider.plan(change, { done, learnt });
    if (!request) return steps;
    const outcome = provider.read(request, await send(request), change, credentialOf(provider.id));
    steps.push({ request, outcome });
    if (outcome.kind === 'done') {
      done.add(request.step);
      learnt = { ...learnt, ...outcome.learnt };
    } else if (outcome.kind === 'fields_refused') {
      const keys = new Set(outcome.fields.map(({ key }) => key));
      change = { ...change, fields: change.fields.filter(({ key }) => !keys.has(key)) };
    } else if (outcome.kind === 'missing') change = withoutMissing(change, outcome);
    else return steps;
  }
  throw new Error(`The plan does not end: ${steps.map(({ request }) => request.step).join(', ')}.`);
}

/** The keys of the fields that the tool did not take. */
export const refusedKeys = (steps: readonly TakenStep[]): string[] =>
  steps.flatMap(({ outcome }) => {
    const refused =
      outcome.kind === 'fields_refused'
        ? outcome.fields
        : outcome.kind === 'done'
          ? outcome.refusedFields
          : undefined;
    return (refused ?? []).map(({ key }) => key);
  });

function withoutMissing(
  change: ContactChange,
  { subject, key }: Extract<StepOutcome, { kind: 'missing' }>,
): ContactChange {
  const drop = ({ add, remove }: ContactChange['lists']): ContactChange['lists'] => ({
    add: add.filter((each) => each !== key),
    remove: remove.filter((each) => each !== key),
  });
  if (subject === 'list') return { ...change, lists: drop(change.lists) };
  if (subject === 'tag') return { ...change, tags: drop(change.tags) };
  return { ...change, events: change.events.filter(({ name }) => name !== key) };
}

/** A change that only makes sure that the contact exists. */
export const exampleChange = (changes: Partial<ContactChange> = {}): ContactChange => ({
  email: 'ada+webinar@example.com',
  fields: [],
  tags: { add: [], remove: [] },
  lists: { add: [], remove: [] },
  events: [],
  consent: undefined,
  isBackfill: false,
  ...changes,
});
