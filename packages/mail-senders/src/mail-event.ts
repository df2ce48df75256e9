// The part that all readers of bounce reports share.
import { isAddress, oneLine } from '@service/mail';
import { createHash } from 'node:crypto';
import type { MailEvent, ReportRequest } from './mail-sender.ts';

/** One report of a provider. Its fields can have any type: they come from outside. */
export type Report = Record<string, unknown>;

const reportsMax = 1000;
const textLengthMax = 300;
const timestampAgeMaxMs = 5 * 60 * 1000;

/** The reports in a body: one object or a list of them. Undefined: the body is not JSON of this form. */
export function parseReports(body: Buffer): Report[] | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    const list = Array.isArray(value) ? value : [value];
    const isReport = (item: unknown): boolean =>
      typeof item === 'object' && item !== null && !Array.isArray(item);
    return list.length <= reportsMax && list.every(isReport) ? (list as Report[]) : undefined;
  } catch {
    return undefined;
  }
}

/** True for a signed time at most five minutes away, which limits how long a copied request can be repeated. */
export function isRecent(timestampSeconds: string | undefined, now: Date): boolean {
  if (timestampSeconds === undefined || !/^\d{1,12}$/.test(timestampSeconds)) return false;
  return Math.abs(Number(timestampSeconds) * 1000 - now.getTime()) <= timestampAgeMaxMs;
}

interface Facts {
  kind: MailEvent['kind'];
  email: unknown;
  providerMessageId: unknown;
  /** Undefined: the provider gives none, so it is made from the report. */
  eventId: unknown;
  at: Date;
  reason: unknown;
}

/** Makes the event of a report. Undefined for a report without a usable address. */
export function toMailEvent(report: Report, facts: Facts, { now }: ReportRequest): MailEvent | undefined {
  const email = textOf(facts.email);
  if (email === undefined || !isAddress(email)) return undefined;
  return {
    kind: facts.kind,
    email,
    providerMessageId: textOf(facts.providerMessageId),
    eventId: textOf(facts.eventId) ?? createHash('sha256').update(JSON.stringify(report)).digest('base64url'),
    at: Number.isNaN(facts.at.getTime()) ? now : facts.at,
    reason: textOf(facts.reason),
  };
}

/** A date in a report: a text of ISO 8601, or a number of seconds or milliseconds. */
export function dateOf(value: unknown): Date {
  if (typeof value === 'number') return new Date(value < 1e11 ? value * 1000 : value);
  return new Date(typeof value === 'string' ? value : Number.NaN);
}

/** A text or number as one bounded line. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return oneLine(String(value).toWellFormed()).slice(0, textLengthMax) || undefined;
}
