// Fakes of the marketing tools whose ids are arguments, with their limits on, in a process of their own. The first message has their origins.
import type { ProviderId } from '@service/marketing-providers';
import { type FakeContact, providerOf, samplesOf, startFake } from '@service/marketing-providers/testing';
import { answerParent } from '../support/answering-process.ts';
import type { BareCall, ToolArrival, ToolQuestion } from './contacts.ts';

const arrivals: ToolArrival[] = [];

/** The calls that brought the newest contact, and those since it. */
interface Calls {
  newest: BareCall[];
  since: BareCall[];
}

async function start(id: ProviderId) {
  const fake = await startFake(id, { now: Date.now });
  const { text } = samplesOf(id);
  const hasTags = providerOf(id).words.tag !== undefined;
  const isComplete = ({ fields, tags }: FakeContact): boolean =>
    fields[text] !== undefined && (!hasTags || tags.size > 0);
  const calls: Calls = { newest: [], since: [] };
  const open = new Set<FakeContact>();
  const known = new Set<FakeContact>();
  const { contact, handle } = fake;
  fake.contact = (email) => {
    const found = contact(email);
    if (!known.has(found)) open.add(found);
    known.add(found);
    return found;
  };
  fake.handle = (request) => {
    const answer = handle(request);
    const { method, path, query, headers, body } = request;
    const search = query.size > 0 ? `?${query.toString()}` : '';
    calls.since.push({ method, url: `${fake.baseUrl}${path}${search}`, headers, body: JSON.stringify(body) });
    for (const one of [...open].filter(isComplete)) {
      open.delete(one);
      arrivals.push({ email: one.email, at: Date.now() });
      if (calls.since.length > 0) calls.newest = calls.since;
      calls.since = [];
    }
    return answer;
  };
  return { fake, calls };
}

const tools = await Promise.all(process.argv.slice(2).map((id) => start(id as ProviderId)));

answerParent(
  tools.map(({ fake }) => fake.baseUrl),
  (question: ToolQuestion) => {
    switch (question.kind) {
      case 'delay':
        tools[question.index]!.fake.delayMs = question.ms;
        return 'set';
      case 'arrivals':
        return arrivals.splice(0);
      case 'refused':
        return tools.reduce((sum, { fake }) => sum + fake.overLimit, 0);
      case 'calls':
      default:
        return tools.map(({ calls }) => calls.newest);
    }
  },
);
