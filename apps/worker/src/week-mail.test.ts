import { expect, test } from 'vitest';
import { composeWeek, daysBefore, findLastWeek } from './week-mail.ts';

const textOf = (timeZone: string, now: string): string[] | undefined => {
  const weeks = findLastWeek(timeZone, new Date(now));
  return weeks && [weeks.before.from, weeks.week.from, weeks.week.to].map((time) => time.toISOString());
};

test('last week is that of the time zone, also when its clocks have changed, and is due on Monday from 08:00 to 12:00', () => {
  const autumn = ['2026-10-11T22:00:00.000Z', '2026-10-18T22:00:00.000Z', '2026-10-25T23:00:00.000Z'];
  expect(textOf('Europe/Berlin', '2026-10-26T07:00:00Z')).toEqual(autumn);
  expect(textOf('Europe/Berlin', '2026-10-26T10:59:59Z')).toEqual(autumn);
  expect(textOf('Europe/Berlin', '2026-10-26T06:59:59Z')).toBeUndefined();
  expect(textOf('Europe/Berlin', '2026-10-26T11:00:00Z')).toBeUndefined();
  expect(textOf('Europe/Berlin', '2026-10-25T07:00:00Z')).toBeUndefined();
  expect(textOf('Asia/Kathmandu', '2026-11-30T02:15:00Z')?.at(-1)).toBe('2026-11-29T18:15:00.000Z');
  expect(textOf('America/Los_Angeles', '2026-11-30T16:00:00Z')?.at(-1)).toBe('2026-11-30T08:00:00.000Z');
});

test('days before a week are whole days of the time zone, also when its clocks have changed between them', () => {
  const { week } = findLastWeek('Europe/Berlin', new Date('2026-10-26T07:00:00Z'))!;
  expect(daysBefore('Europe/Berlin', week, 5)).toEqual({
    from: new Date('2026-10-13T22:00:00Z'),
    to: new Date('2026-10-20T22:00:00Z'),
  });
});

test('the mail has each number beside that of the week before, and the next sessions in the zone of the workspace', () => {
  const quiet = { registrations: 0, attended: 0, noShow: 0, failed: 0, revenue: new Map<string, number>() };
  const { week } = findLastWeek('Europe/Berlin', new Date('2026-11-30T07:00:00Z'))!;
  const { subject, text } = composeWeek({
    name: 'Acme\r\nBcc: x',
    timeZone: 'Europe/Berlin',
    week,
    failedSpan: daysBefore('Europe/Berlin', week, 5),
    numbers: {
      registrations: 10_000,
      attended: 2,
      noShow: 1,
      failed: 3,
      revenue: new Map([['EUR', 123_456]]),
    },
    before: { ...quiet, revenue: new Map([['JPY', 500]]) },
    countedMax: 10_000,
    sessions: [{ title: 'Launch', startsAt: '2026-12-01T16:00:00.000Z', registrationCount: 34 }],
    workspaceUrl: 'https://webinars.example.com/w/1',
  });
  expect(subject).toBe('Acme Bcc: x: last week in numbers');
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'The numbers of Acme Bcc: x from 23 November 2026 to 29 November 2026 (Europe/Berlin):',
      'Registrations: 10,000 or more (the week before: 0)',
      'Attendance of these registrations: 67% (the week before: none)',
      'Webhooks of 18 November 2026 to 24 November 2026 that failed for good: 3 (the week before: 0)',
      'Net revenue in EUR: €1,234.56 (the week before: €0.00)',
      'Net revenue in JPY: ¥0 (the week before: ¥500)',
      'Launch: Tuesday, 1 December 2026 at 17:00, 34 registered',
    ]),
  );
});
