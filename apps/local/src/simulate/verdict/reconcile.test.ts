import { expect, test } from 'vitest';
import {
  noteClick,
  noteMessage,
  noteSignal,
  createActionLog,
  noteView,
  noteVote,
} from '../attendee/action-log.ts';
import { createProgramme } from '../programme.ts';
import { createReceipts } from '../service/receipts.ts';
import { expectationsOf, type AttendeeRecord } from './expectations.ts';
import { missingDeliveries, reconcile, reconcileResults, reconcileStats } from './reconcile.ts';
import { showReconciliation } from './report.ts';

const interactions = { offer: 'o1', cta: 'c1', handout: 'h1', poll: 'p1' };

/** An attendee who watched half of the video, clicked the offer twice and asked for the price. */
function createWorld() {
  const actionLog = createActionLog();
  noteSignal(actionLog, { type: 'beat', sentMs: 0, answeredMs: 1, isSure: true }, [[0, 30]]);
  noteClick(actionLog, 'offer', 'done');
  noteClick(actionLog, 'offer', 'done');
  noteMessage(actionLog, { text: 'The price?', id: 'm1' }, 'done');
  const programme = createProgramme({ minutes: 1, speed: 1 });
  const expected = expectationsOf(actionLog, { programme, interactions, hasWebhooks: true });
  const attendees = [{ registrationId: 'r1', email: 'ada@example.com', expected }];
  const record = {
    events: new Map([
      ['registered', 1],
      ['joined', 1],
      ['left', 1],
      ['watched_percent', 2],
      ['cta_click', 2],
      ['chat_response', 1],
    ]),
    watchedSeconds: 30,
    fired: new Map(
      [
        'registered',
        'joined',
        'left',
        'watched_percent-25',
        'watched_percent-50',
        'cta_click',
        'chat_response',
        'after_session',
      ].map((source) => [source, 1]),
    ),
  } satisfies AttendeeRecord;
  const receipts = createReceipts();
  const deliver = (source: string, data: Record<string, unknown> = {}, id = `${source} 1`): void =>
    receipts.add(source, id, { event_type: source, attendee: { registration_id: 'r1' }, event_data: data });
  for (const source of record.fired.keys()) {
    if (source === 'cta_click') deliver(source, { interactionId: 'o1' });
    else if (source === 'chat_response') deliver(source, { message_event_id: 'm1' });
    else deliver(source);
  }
  const records = { statuses: new Map([['r1', 'attended']]), attendees: new Map([['r1', record]]) };
  const differencesOf = () => reconcile(attendees, records, receipts).differences.map(({ text }) => text);
  return { attendees, records, record, receipts, deliver, differencesOf };
}

test('records that match the actions have no difference', () => {
  const { attendees, records, receipts } = createWorld();
  const reconciliation = reconcile(attendees, records, receipts);
  expect(reconciliation.differences).toEqual([]);
  expect(reconciliation.lines.find(({ what }) => what === 'cta_click')).toEqual({
    what: 'cta_click',
    done: { least: 2, most: 2 },
    recorded: { expected: { least: 2, most: 2 }, found: 2 },
    fired: { expected: { least: 1, most: 1 }, found: 1 },
    delivered: { expected: { least: 1, most: 1 }, found: 1 },
    differences: 0,
  });
  expect(showReconciliation(reconciliation)).toMatch(
    /cta_click +2 +2 +1 of 1 +1 of 1 +-\n[^]*No differences\.$/,
  );
});

test('a surplus or a missing event is a difference', () => {
  const world = createWorld();
  world.record.events.set('joined', 2);
  world.record.events.delete('chat_response');
  expect(world.differencesOf()).toEqual([
    'joined of ada@example.com: 1 expected, recorded 2',
    'chat_response of ada@example.com: 1 expected, recorded 0',
  ]);
});

test('a rule that fired twice or without an event is a difference', () => {
  const world = createWorld();
  world.record.fired.set('cta_click', 2);
  world.record.fired.set('watched_percent-75', 1);
  expect(world.differencesOf()).toEqual([
    'cta_click of ada@example.com: 1 expected, cta_click fired 2',
    'watched_percent of ada@example.com: 0 expected, watched_percent-75 fired 1',
  ]);
});

test('a wrong watch time and a wrong status are differences', () => {
  const world = createWorld();
  world.records.attendees.set('r1', { ...world.record, watchedSeconds: 29 });
  world.records.statuses.set('r1', 'no_show');
  expect(world.differencesOf()).toEqual([
    'ada@example.com is no_show, not attended',
    'watched seconds of ada@example.com: 30 expected, recorded 29',
  ]);
});

test('a repeated delivery is no difference, a second delivery of the same event is one', () => {
  const world = createWorld();
  world.deliver('joined');
  expect(world.differencesOf()).toEqual([]);
  expect(world.receipts.repeats()).toBe(1);
  world.deliver('joined', {}, 'joined 2');
  expect(world.differencesOf()).toEqual(['joined of ada@example.com: 1 expected, delivered 2']);
});

test('a webhook of another interaction and one of an unknown registration are differences', () => {
  const world = createWorld();
  world.deliver('cta_click', { interactionId: 'o2' }, 'cta_click 2');
  world.receipts.add('joined', 'x', {
    event_type: 'joined',
    attendee: { registration_id: 'r9' },
    event_data: {},
  });
  expect(world.differencesOf()).toEqual([
    'cta_click of ada@example.com: delivered without an action: o2',
    'delivered for an unknown registration: r9',
  ]);
});

test('missing deliveries are counted by source', () => {
  const { attendees, receipts } = createWorld();
  expect(missingDeliveries(attendees, receipts).size).toBe(0);
  const missing = missingDeliveries(attendees, createReceipts());
  expect(missing.get('joined')).toBe(1);
  expect(missing.has('no_show')).toBe(false);
});

test('an attendee outside the sample is compared by status and deliveries', () => {
  const world = createWorld();
  world.records.attendees.clear();
  world.deliver('joined', {}, 'joined 2');
  const { lines, differences } = reconcile(world.attendees, world.records, world.receipts);
  expect(differences).toHaveLength(1);
  expect(lines[1]).toMatchObject({ what: 'joined', recorded: null, fired: null, differences: 1 });
});

function createStats() {
  const none = { views: 0, clicks: 0, uniqueClickers: 0, responses: 0, options: [] };
  return {
    offer: { ...none, views: 2, clicks: 3, uniqueClickers: 2 },
    cta: { ...none },
    handout: { ...none },
    poll: { ...none, responses: 1, options: [{ id: 'soon', count: 1 }] },
  };
}

const [one, other] = [createActionLog(), createActionLog()];
noteClick(one, 'offer', 'done');
noteClick(one, 'offer', 'done');
noteClick(other, 'offer', 'done');
noteVote(other, 'soon', 'done');
noteView(one, 'offer', 'done');
noteView(one, 'offer', 'done');
noteView(other, 'offer', 'unknown');
noteView(other, 'cta', 'refused');

test('the figures of an interaction are the sums over all attendees', () => {
  expect(reconcileStats([one, other], createStats()).differences).toEqual([]);
});

test('clicks, clickers and votes for each option are compared one by one', () => {
  const stats = createStats();
  stats.offer.uniqueClickers = 3;
  stats.poll.options = [{ id: 'now', count: 1 }];
  const { lines, differences } = reconcileStats([one, other], stats);
  expect(differences.map(({ text }) => text)).toEqual([
    'stats: offer clickers: done 2, recorded 3',
    'stats: poll "now": done 0, recorded 1',
    'stats: poll "soon": done 1, recorded 0',
  ]);
  expect(lines.filter((line) => line.differences > 0)).toHaveLength(3);
});

test('a view counts once for each attendee, and a call without an answer may have counted', () => {
  const viewed = (offer: number, cta: number) => {
    const stats = createStats();
    stats.offer.views = offer;
    stats.cta.views = cta;
    return reconcileStats([one, other], stats).differences.map(({ text }) => text);
  };
  expect(viewed(1, 0)).toEqual([]);
  expect(viewed(3, 1)).toEqual([
    'stats: offer views: done 1-2, recorded 3',
    'stats: cta views: done 0, recorded 1',
  ]);
});

test('the results of the session are compared with the people who joined, completed the video and clicked', () => {
  const { attendees } = createWorld();
  const results = { registered: 1, joined: 1, attended: 1, noShow: 0, completed: 0, clicked: 1 };
  expect(reconcileResults(attendees, results).differences).toEqual([]);
  const wrong = reconcileResults(attendees, { ...results, attended: 0, clicked: 2 });
  expect(wrong.differences.map(({ text }) => text)).toEqual([
    'results: attended: done 1, recorded 0',
    'results: clicked: done 1, recorded 2',
  ]);
});
