// Facts of registrants become waiting changes, in the transaction of their event. Their values are not copied: a worker reads them when it
// sends, so several events of a person merge by themselves. The lists of a registration with consent are parts of its change.
import type { AttendeeEvent, EventInterest, EventSubscriber } from '@service/attendees';
import { createConnectedAccounts, findSyncTargets, type SyncTarget } from '@service/connections';
import type { AccountWriter, Database } from '@service/database';
import type { Log } from '@service/log';
import type { SessionSubscriber } from '@service/webinars';
import { noParts } from '../change/change.ts';
import { queueChanges, type ChangeDraft } from '../change/queue-changes.ts';
import { eraseInTools } from '../erasure/erase-contact.ts';
import { isLeftOut } from './sync-change.ts';

/**
 * The events after which values or tags differ. Watch time and the end of the video are not among them: they are sent when the attendee
 * leaves, so that an evening makes four changes and not nine.
 */
const syncedEvents: ReadonlySet<AttendeeEvent['type']> = new Set([
  'registered',
  'joined',
  'left',
  'no_show',
  'cta_click',
  'purchase',
  'refund',
] as const);

const nothing: EventInterest = { minutes: [], percents: [], onEvents: async () => undefined };

type Person = Pick<AttendeeEvent['registration'], 'id' | 'email' | 'webinarId' | 'status'>;

export function createSyncSubscriber({
  database,
  log,
}: {
  database: Pick<Database, 'query' | 'connect'>;
  log: Log;
}): EventSubscriber & SessionSubscriber & { close(): Promise<void> } {
  const accounts = createConnectedAccounts({ database, log });

  const interestOf = (targets: readonly SyncTarget[]): EventInterest =>
    targets.length === 0
      ? nothing
      : {
          minutes: [],
          percents: [],
          async onEvents(tx, events) {
            const synced = events.filter(({ type }) => syncedEvents.has(type));
            queue(
              tx,
              targets,
              synced.map(({ id, type, registration }) => ({
                cause: id,
                person: registration,
                hasAgreed: type === 'registered' && registration.consent?.given === true,
              })),
            );
          },
        };

  return {
    async findInterest(tx, _webinarId, expected) {
      // The list of this process may be old for a moment, and nothing would repair a registration that is missed.
      const targets = expected === 'registered' ? findSyncTargets(tx) : accounts.targetsOf(tx.accountId);
      return interestOf(targets instanceof Promise ? await targets : targets);
    },

    async onRegistration(tx, { registration }) {
      const targets = await accounts.targetsOf(tx.accountId);
      queue(tx, targets, [{ cause: undefined, person: registration, hasAgreed: false }]);
    },

    onErasure: eraseInTools,
    onSessions: async () => undefined,
    close: () => accounts.close(),
  };
}

interface Fact {
  /** The id of the event. Undefined: a change of a registration has none. */
  cause: string | undefined;
  person: Person;
  /** The person has registered with consent. Later facts add no person to a list, because they may have left it in the meantime. */
  hasAgreed: boolean;
}

function queue(tx: AccountWriter, targets: readonly SyncTarget[], facts: readonly Fact[]): void {
  const drafts = targets.flatMap(({ connectionId, sync }) =>
    facts
      .filter(
        ({ person }) =>
          person.status !== 'test' &&
          !sync.webinarsLeftOut.includes(person.webinarId) &&
          !isLeftOut(sync, person.email),
      )
      .map(({ cause, person, hasAgreed }): ChangeDraft => ({
        connectionId,
        email: person.email,
        registrationId: person.id,
        inStep: true,
        ...(hasAgreed && {
          parts: { ...noParts, lists: Object.fromEntries(sync.lists.map((id) => [id, true])) },
        }),
        causes: cause === undefined ? [] : [cause],
      })),
  );
  queueChanges(tx, drafts);
}
