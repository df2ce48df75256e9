// The requests that keep the latest registrants in step, before the settings are saved. Nothing is sent.
import { findLatestRegistrants, type RevenueReader } from '@service/attendees';
import {
  syncFieldNames,
  syncTagNames,
  syncTags,
  type MarketingConnections,
  type SyncField,
  type SyncSettings,
  type SyncTag,
} from '@service/connections';
import type { AccountQueries } from '@service/database';
import type { ContactChange, FieldValue } from '@service/marketing-providers';
import type { z } from 'zod';
import { noParts } from '../change/change.ts';
import { requireConnection } from '../runs/runs.ts';
import { compose, type SuppressionReader } from '../send/take-changes.ts';
import type { PreviewedPerson } from './schemas.ts';

const peopleMax = 5;
/** Among so many registrations the latest people are looked for, because a person may have several. */
const registrationsMax = 50;

export interface PreviewParts {
  marketing: Pick<MarketingConnections, 'findById' | 'open'>;
  readRevenue: RevenueReader;
  readSuppressed: SuppressionReader;
}

/** The latest five registrants with their values, and the first requests for each. Throws tool_not_found. */
export async function previewSync(
  reader: AccountQueries,
  { connectionId, sync }: { connectionId: string; sync: SyncSettings },
  { marketing, ...parts }: PreviewParts,
): Promise<z.input<typeof PreviewedPerson>[]> {
  const connection = await requireConnection(reader, marketing, connectionId);
  const { provider, credential } = marketing.open(connection);
  const people = await latestPeople(reader);
  const rows = people.map(({ id, email }) => ({
    contact: email,
    registrationId: id,
    inStep: true,
    isBackfill: false,
    isErasure: false,
    ...noParts,
  }));
  const composeBy = (settings: SyncSettings) =>
    compose(reader, rows, { ...parts, connection: { id: connectionId, settings: { sync: settings } } });
  const [planned, whole] = await Promise.all([composeBy(sync), composeBy(everything)]);
  const start = { done: new Set<string>(), learnt: {} };
  return people.map(({ id, name, email }, index) => {
    const change = planned[index]!.change;
    return {
      registrationId: id,
      name,
      email,
      ...valuesOf(whole[index]!.change),
      requests: (change ? provider.plan(change, start) : []).map((request) => {
        const shown = provider.show(request, credential, connection.settings.baseUrl ?? undefined);
        return {
          name: shown.name,
          method: shown.method,
          url: shown.url,
          headers: shown.headers,
          body: shown.body ?? null,
        };
      }),
    };
  });
}

async function latestPeople(reader: AccountQueries) {
  const registrations = await findLatestRegistrants(reader, registrationsMax);
  const byEmail = new Map<string, (typeof registrations)[number]>();
  for (const registration of registrations)
    if (!byEmail.has(registration.email)) byEmail.set(registration.email, registration);
  return [...byEmail.values()].slice(0, peopleMax);
}

/** Each value in a field of its own name, for all people. */
const everything: SyncSettings = {
  enabled: true,
  fields: Object.fromEntries(syncFieldNames.map((name) => [name, { key: name, policy: 'always' }])),
  tags: { prefix: '', use: syncTagNames },
  lists: [],
  webinarsLeftOut: [],
  domainsLeftOut: [],
};

/** The values and tags that a person has, also those that the settings do not send. */
const valuesOf = (
  change: ContactChange | undefined,
): { values: Partial<Record<SyncField, FieldValue>>; tags: SyncTag[] } => ({
  values: Object.fromEntries(change?.fields.map(({ key, value }) => [key, value]) ?? []),
  tags: syncTagNames.filter((name) => change?.tags.add.includes(syncTags[name])),
});
