// The interactions that an attendee sees now. The server evaluates `showWhen`, so pages know no conditions. A page sends the version
// of its list with its heartbeats, and gets a list when it has changed.
import { type AttendeeFacts, areMet, readsMessages } from '@service/conditions';
import type { EvaluationBudget } from '@service/conditions/budget';
import type { Interaction, InteractionDetails } from '@service/webinars';
import { pollOf } from '@service/webinars';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { factsOf } from '../attendance/find-attendees.ts';
import { factsOfAttendance } from '../entities/attendance.ts';
import type { AttendeeSnapshot } from './room-call.ts';
import type { RoomInteraction } from './schemas.ts';

/** The interactions of a webinar for heartbeats, as a process last read them. */
interface KnownInteractions {
  /** The versions of the list in a session and in its replay, for a webinar without conditions. */
  versions: readonly string[];
  /** Only for a webinar with conditions, whose list differs between attendees. */
  list: readonly Interaction[] | undefined;
}

export interface InteractionCache {
  /** The list to choose from for a heartbeat. Undefined if this version is the current one, `unknown` if the list must be read. */
  listFor(webinarId: string, version: string): readonly Interaction[] | 'unknown' | undefined;
  /** Keeps all interactions of a webinar, just read. */
  keep(webinarId: string, list: readonly Interaction[]): void;
}

/** A change of an interaction reaches open pages after this time and the time to their next heartbeat. */
const keptMs = 5000;
/** A list that was kept less than this ago is not hashed again, because hundreds of attendees enter at the start. */
const unchangedMs = 1000;
const charactersMax = 20_000_000;
const withoutConditionsSize = 100;

/** Heartbeats are most calls of the room. With this cache those of a webinar without conditions read no interactions. */
export function createInteractionCache(): InteractionCache {
  const known = new LRUCache<string, KnownInteractions>({
    ttl: keptMs,
    maxSize: charactersMax,
    sizeCalculation: ({ list }) => withoutConditionsSize + (list ? JSON.stringify(list).length : 0),
  });
  return {
    listFor(webinarId, version) {
      const found = known.get(webinarId);
      if (!found) return 'unknown';
      if (found.list) return found.list;
      return found.versions.includes(version) ? undefined : 'unknown';
    },
    keep(webinarId, list) {
      if (known.getRemainingTTL(webinarId) > keptMs - unchangedMs) return;
      known.set(
        webinarId,
        hasConditions(list)
          ? { list, versions: [] }
          : {
              list: undefined,
              versions: [false, true].map((isReplay) => versionOf(offeredIn(list, isReplay), isReplay)),
            },
      );
    },
  };
}

export const hasConditions = (list: readonly Interaction[]): boolean =>
  list.some(({ showWhen }) => showWhen.length > 0);

/** True if a condition of the list compares chat messages, which are loaded only then. */
export const asksForMessages = (list: readonly Interaction[]): boolean =>
  list.some(({ showWhen }) => readsMessages(showWhen));

interface Shown {
  interactions: RoomInteraction[];
  /** Empty if the conditions took too long: the next heartbeat gets the list again. */
  interactionsVersion: string;
}

/**
 * The interactions for a page that opens. Those whose conditions could not be evaluated in time are left out. `isReplay`: the visit
 * watches a replay.
 */
export function shownInteractions(snapshot: AttendeeSnapshot, isReplay: boolean): Shown {
  const chosen = choose(snapshot, isReplay);
  return {
    interactions: chosen.list.map((interaction) => showInteraction(interaction, snapshot)),
    interactionsVersion: chosen.isComplete ? chosen.version : '',
  };
}

/** The list for a heartbeat, if it differs from the list that the page has. */
export function changedInteractions(
  snapshot: AttendeeSnapshot,
  { interactionsVersion: version, isReplay }: { interactionsVersion?: string | undefined; isReplay: boolean },
): Shown | undefined {
  if (version === undefined || !snapshot.shown) return undefined;
  const chosen = choose(snapshot, isReplay);
  if (!chosen.isComplete || chosen.version === version) return undefined;
  return {
    interactions: chosen.list.map((interaction) => showInteraction(interaction, snapshot)),
    interactionsVersion: chosen.version,
  };
}

function choose(snapshot: AttendeeSnapshot, isReplay: boolean) {
  const { shown = [], registration, session, attendance, chatMessages, evaluation } = snapshot;
  const offered = offeredIn(shown, isReplay);
  if (!hasConditions(offered) || !registration)
    return { list: offered, version: versionOf(offered, isReplay), isComplete: true };
  const facts = factsOf({ registration, session, facts: factsOfAttendance(attendance), chatMessages });
  const budget = evaluation.budgetOf(attendance.registrationId);
  const list = metBy(offered, facts, budget);
  const isComplete = !budget.isSpent;
  budget.finish();
  return { list, version: versionOf(list, isReplay), isComplete };
}

/** The interactions whose `showWhen` is met. */
export const metBy = (
  list: readonly Interaction[],
  facts: AttendeeFacts,
  budget: EvaluationBudget,
): readonly Interaction[] =>
  list.filter(({ showWhen }) => showWhen.length === 0 || areMet(showWhen, facts, budget));

/** A replay has those that are available in it. It has no polls, because they take no answers after the session. */
export const offeredIn = (list: readonly Interaction[], isReplay: boolean): readonly Interaction[] =>
  isReplay ? list.filter(({ availableInReplay, type }) => availableInReplay && type !== 'poll') : list;

const versionOf = (list: readonly Interaction[], isReplay: boolean): string => {
  const parts = list.map(({ id, updatedAt }) => `${id} ${updatedAt.getTime()}`);
  return hash('sha1', [isReplay, ...parts].join('\n'), 'base64url').slice(0, 12);
};

/** An interaction as attendees see it: without the internal name, and with the click link instead of the URL. */
function showInteraction(
  interaction: Interaction,
  { holder, attendance, joinLinks }: Pick<AttendeeSnapshot, 'holder' | 'attendance' | 'joinLinks'>,
): RoomInteraction {
  const poll = pollOf(interaction);
  return {
    id: interaction.id,
    type: interaction.type,
    headline: interaction.headline,
    body: interaction.body ?? null,
    segmentId: interaction.segmentId ?? null,
    showAtSeconds: interaction.showAtSeconds,
    hideAtSeconds: interaction.hideAtSeconds ?? null,
    display: interaction.display,
    dismissible: interaction.dismissible,
    ...(poll
      ? {
          options: poll.options,
          multiple: poll.multiple,
          results: poll.results,
          answered: [...(attendance.answers[interaction.id] ?? [])],
        }
      : publicDetails(interaction.details)),
    ...('url' in interaction.details && { clickUrl: joinLinks.clickUrlOf(holder, interaction.id) }),
  };
}

function publicDetails(details: InteractionDetails): Partial<RoomInteraction> {
  if ('authorName' in details) return { authorName: details.authorName };
  if ('fileName' in details) return { fileName: details.fileName };
  if (!('priceMinor' in details)) return 'buttonLabel' in details ? { buttonLabel: details.buttonLabel } : {};
  const { buttonLabel, priceMinor, currency, imageUrl, couponCode, countdownSeconds } = details;
  return { buttonLabel, priceMinor, currency, imageUrl, couponCode, countdownSeconds };
}
