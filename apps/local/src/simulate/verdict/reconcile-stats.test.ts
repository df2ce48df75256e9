import { expect, test } from 'vitest';
import { noteClick, noteVote, nothingDone } from '../attendee/doings.ts';
import { reconcileStats } from './reconcile-stats.ts';

function createStats() {
  const none = { clicks: 0, uniqueClickers: 0, responses: 0, options: [] };
  return {
    offer: { ...none, clicks: 3, uniqueClickers: 2 },
    cta: { ...none },
    poll: { ...none, responses: 1, options: [{ id: 'soon', count: 1 }] },
  };
}

const [one, other] = [nothingDone(), nothingDone()];
noteClick(one, 'offer', 'done');
noteClick(one, 'offer', 'done');
noteClick(other, 'offer', 'done');
noteVote(other, 'soon', 'done');

test('the figures of an interaction are the sums of what all did', () => {
  expect(reconcileStats([one, other], createStats()).differences).toEqual([]);
});

test('clicks, people and votes for each option are held against them one by one', () => {
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
