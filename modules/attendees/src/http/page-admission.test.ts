import type { AppError } from '@service/errors';
import type { Request } from 'express';
import { expect, test } from 'vitest';
import { createPageLimits } from './page-admission.ts';

const now = new Date('2026-12-01T12:00:00Z');

test('registrations from any networks and with any addresses end at the limits of a webinar and of its account', () => {
  const limits = createPageLimits();
  let people = 0;
  /** The number of people of `count` who may register. */
  const admitted = (accountId: string, webinarId: string, count: number, at = now): number => {
    let taken = 0;
    for (let index = 0; index < count; index += 1)
      try {
        limits.admitRegistration({ accountId, webinarId }, `${(people += 1)}@example.com`, at);
        taken += 1;
      } catch (error) {
        const { code, retryAfterSeconds } = error as AppError;
        expect([code, retryAfterSeconds]).toEqual(['too_many_registrations', 1]);
      }
    return taken;
  };
  expect(admitted('a1', 'w1', 1010)).toBe(1000);
  for (const webinarId of ['w2', 'w3']) expect(admitted('a1', webinarId, 1000)).toBe(1000);
  expect(admitted('a1', 'w4', 10)).toBe(0);
  expect(admitted('a2', 'w5', 10)).toBe(10);
  const minuteLater = new Date(now.getTime() + 60_000);
  expect(admitted('a1', 'w1', 500, minuteLater)).toBe(120);
});

test('pages are counted by network: an IPv6 network of a caller counts once', () => {
  const limits = createPageLimits();
  const isAdmitted = (ip: string): boolean => {
    try {
      limits.admitView({ ip } as Request, now);
      return true;
    } catch (error) {
      expect((error as AppError).code).toBe('too_many_page_views');
      return false;
    }
  };
  const admitted = Array.from({ length: 310 }, (_, index) =>
    isAdmitted(`2001:db8:0:1::${index.toString(16)}`),
  );
  expect(admitted.filter(Boolean)).toHaveLength(300);
  expect(isAdmitted('2001:db8:0:2::1')).toBe(true);
});
