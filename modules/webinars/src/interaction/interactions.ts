import { type AccountReader, type AccountWriter, column, createId, statement } from '@service/database';
import { commonErrors, type Issue } from '@service/errors';
import { Interaction, type InteractionDetails, type Poll } from '../entities/interaction.ts';
import type { InteractionType } from '../entities/enums.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar, lockWebinar } from '../webinar/find-webinar.ts';
import type { Webinar } from '../entities/webinar.ts';
import { Segment } from '../entities/segment.ts';
import {
  commonFields,
  type InteractionFields,
  interactionsMax,
  joinFields,
  pick,
  typeDefaults,
  typeFields,
} from './interaction-fields.ts';
import { problemsOf } from './problems-of.ts';

interface NewInteraction extends InteractionFields {
  webinarId: string;
}

/** Adds an interaction to a webinar. Throws webinar_not_found, validation_failed, interaction_limit_reached. */
export async function createInteraction(
  tx: AccountWriter,
  type: InteractionType,
  { webinarId, ...fields }: NewInteraction,
): Promise<Interaction> {
  const webinar = await lockWebinar(tx, webinarId);
  const issues = await placeProblems(tx, webinar, fields);
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  const count = await tx.em.count(Interaction, { accountId: tx.accountId, webinarId: webinar.id });
  if (count >= interactionsMax) throw webinarErrors.interaction_limit_reached();
  const { common, details } = splitFields(type, fields);
  const interaction = tx.em.create(Interaction, {
    accountId: tx.accountId,
    id: createId(),
    webinarId: webinar.id,
    type,
    ...common,
    details,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await tx.em.flush();
  return interaction;
}

/**
 * Changes some fields of an interaction, never its type. Poll options are replaced as a whole. Throws webinar_not_found,
 * interaction_not_found, validation_failed with all problems of the result.
 */
export async function updateInteraction(
  tx: AccountWriter,
  address: InteractionAddress,
  changes: Partial<InteractionFields>,
): Promise<Interaction> {
  const webinar = await lockWebinar(tx, address.webinarId);
  const interaction = await findInWebinar(tx, webinar, address);
  const fields = { ...joinFields(interaction), ...changes };
  // An interaction whose segment was deleted can be after the end of the webinar. It can still be changed otherwise.
  const isMoved = changes.segmentId !== undefined || changes.showAtSeconds !== undefined;
  const issues = [
    ...problemsOf({ ...fields, type: interaction.type }),
    ...(isMoved ? await placeProblems(tx, webinar, fields) : []),
  ];
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  const { common, details } = splitFields(interaction.type, fields);
  Object.assign(interaction, { ...common, details, updatedAt: tx.now });
  await tx.em.flush();
  return interaction;
}

/** Deletes an interaction. Its events stay in the event stream. Throws webinar_not_found, interaction_not_found. */
export async function deleteInteraction(
  tx: AccountWriter,
  { webinarId, interactionId, type }: InteractionAddress,
): Promise<void> {
  const webinar = await findWebinar(tx, webinarId);
  const deleted = await tx.em.nativeDelete(Interaction, {
    accountId: tx.accountId,
    webinarId: webinar.id,
    id: interactionId,
    ...(type && { type }),
  });
  if (deleted === 0) throw webinarErrors.interaction_not_found();
}

export interface InteractionAddress {
  webinarId: string;
  interactionId: string;
  /** If given, an interaction of another type is not found. */
  type?: InteractionType;
}

/** An interaction of the account's webinar. Throws webinar_not_found, interaction_not_found. */
export async function findInteraction(
  reader: AccountReader,
  address: InteractionAddress,
): Promise<Interaction> {
  return findInWebinar(reader, await findWebinar(reader, address.webinarId), address);
}

/** Like findInteraction, and locks the webinar against other changes until the end of the transaction. */
export async function lockInteraction(tx: AccountWriter, address: InteractionAddress): Promise<Interaction> {
  return findInWebinar(tx, await lockWebinar(tx, address.webinarId), address);
}

/** Like findInteraction, for a webinar that is already loaded. */
async function findInWebinar(
  reader: AccountReader,
  webinar: Pick<Webinar, 'id'>,
  { interactionId, type }: InteractionAddress,
): Promise<Interaction> {
  const interaction = await reader.em.findOne(Interaction, {
    accountId: reader.accountId,
    webinarId: webinar.id,
    id: interactionId,
    ...(type && { type }),
  });
  if (!interaction) throw webinarErrors.interaction_not_found();
  return interaction;
}

/**
 * Finds the reasons why an interaction would never be shown: its segment does not exist, or its position is after the end of its
 * segment. Without a segment, the end of the webinar counts.
 */
async function placeProblems(
  { em, accountId }: AccountReader,
  webinar: Pick<Webinar, 'id' | 'durationSeconds'>,
  { segmentId, showAtSeconds }: Pick<InteractionFields, 'segmentId' | 'showAtSeconds'>,
): Promise<Issue[]> {
  if (segmentId === null) return lateProblems(showAtSeconds, webinar, 'webinar');
  const segment = await em.findOne(Segment, { accountId, webinarId: webinar.id, id: segmentId });
  if (!segment) return [{ path: 'segmentId', message: 'The webinar has no such segment.' }];
  return lateProblems(showAtSeconds, segment, 'segment');
}

const lateProblems = (
  showAtSeconds: number,
  { durationSeconds }: { durationSeconds: number },
  place: string,
): Issue[] =>
  showAtSeconds < durationSeconds
    ? []
    : [
        {
          path: 'showAtSeconds',
          message: `Must be less than the ${place}'s durationSeconds, ${durationSeconds}.`,
        },
      ];

const selectLate = statement({
  name: 'webinars.select_late_interactions',
  text: `
    select internal_name as name, show_at_seconds as seconds from webinars.interaction
    where account_id = $1 and webinar_id = $2 and segment_id is not distinct from $3::uuid and show_at_seconds >= $4
    order by show_at_seconds desc`,
  row: { name: column.text, seconds: column.integer },
});

/** A segment, or null for the webinar itself. */
interface Place {
  webinarId: string;
  segmentId: string | null;
}

/** Makes sure that all interactions fit a new duration of the webinar. Throws validation_failed with those that do not. */
export async function requireRoom(
  tx: AccountWriter,
  webinarId: string,
  durationSeconds: number,
): Promise<void> {
  const issues = await lateInteractions(tx, { webinarId, segmentId: null }, durationSeconds);
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
}

/** Returns a problem for each interaction that a segment or webinar of this duration would not reach. */
export async function lateInteractions(
  { query, accountId }: AccountWriter,
  { webinarId, segmentId }: Place,
  durationSeconds: number,
): Promise<Issue[]> {
  const late = await query(selectLate, [accountId, webinarId, segmentId, durationSeconds]);
  return late.map(({ name, seconds }) => ({
    path: 'durationSeconds',
    message: `Too short for the interaction "${name}", which is shown at ${seconds} seconds.`,
  }));
}

/** Splits input fields into the common columns and the details of the type. Poll options without an id get one. */
function splitFields(
  type: InteractionType,
  fields: InteractionFields,
): { common: CommonFields; details: InteractionDetails } {
  const details = { ...typeDefaults[type], ...pick(fields, Object.keys(typeFields[type])) };
  if (fields.options)
    Object.assign(details, {
      options: fields.options.map(({ id = createId(), label }) => ({ id, label })),
    } satisfies Pick<Poll, 'options'>);
  return {
    common: pick(fields, Object.keys(commonFields)) as CommonFields,
    details: details as InteractionDetails,
  };
}

type CommonFields = Pick<Interaction, keyof typeof commonFields>;
