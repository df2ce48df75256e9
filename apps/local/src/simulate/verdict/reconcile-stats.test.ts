import { expect, test } from 'vitest';
import { noteClick, noteView, noteVote, createActionLog } from '../attendee/action-log.ts';
import { reconcileStats } from './reconcile-stats.ts';

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
