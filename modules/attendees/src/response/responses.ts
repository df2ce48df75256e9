// Responses are read from the event stream through two partial indexes. Event types are literals in the statements, because the
// planner uses a partial index only if it can see that the condition implies that of the index.
import {
  type AccountReader,
  column,
  highestId,
  lowestIdSince,
  nullable,
  type RowsOf,
  statement,
} from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import {
  findInteraction,
  type Interaction,
  type InteractionAddress,
  type InteractionType,
  type Poll,
  pollOf,
} from '@service/webinars';
import type { z } from 'zod';
import { countResponses, sumOf, type CountParts } from './count-responses.ts';
import type { ListResponsesInput, RespondentOutput, ResponseOutput, StatsOutput } from './schemas.ts';

const responseRow = {
  id: column.id,
  registrationId: column.id,
  sessionId: column.id,
  at: column.time,
  optionId: nullable(column.text),
  selectedOption: nullable(column.text),
};

type ResponseType = 'cta_click' | 'handout_download' | 'poll_response';

const selectOfType = (type: ResponseType): string => `
    select id, registration_id as "registrationId", session_id as "sessionId", occurred_at as at,
           data ->> 'optionId' as "optionId", data ->> 'selectedOption' as "selectedOption"
    from attendees.attendee_event
    where account_id = $1 and data ->> 'interactionId' = $2 and type = '${type}' and id < $3
      and id >= $5
    order by id desc limit $4`;

const clicksPage = statement({
  name: 'attendees.list_cta_click',
  text: selectOfType('cta_click'),
  row: responseRow,
});

const pages: Record<InteractionType, typeof clicksPage> = {
  offer: clicksPage,
  cta: clicksPage,
  // It has no responses, so the page is empty.
  chat: clicksPage,
  poll: statement({
    name: 'attendees.list_poll_response',
    text: selectOfType('poll_response'),
    row: responseRow,
  }),
  // Each part reads at most a page from the index. Downloads were recorded as cta_click until 2026-11-22.
  handout: statement({
    name: 'attendees.list_handout_download',
    text: `(${selectOfType('handout_download')}) union all (${selectOfType('cta_click')}) order by id desc limit $4`,
    row: responseRow,
  }),
};

/**
 * A page of answers to a poll, downloads of a handout, or clicks on an offer or CTA, newest first. Throws webinar_not_found,
 * interaction_not_found.
 */
export async function listResponses(
  reader: AccountReader,
  input: z.output<typeof ListResponsesInput>,
  type?: InteractionType,
) {
  const interaction = await findInteraction(reader, { ...input, type });
  const filters = { interactionId: interaction.id };
  const scope = { list: 'responses', accountId: reader.accountId, filters };
  const after = cursorId(input.cursor, scope) ?? highestId;
  const rows = await reader.query(pages[interaction.type], [
    reader.accountId,
    interaction.id,
    after,
    input.limit + 1,
    lowestIdSince(interaction.id),
  ]);
  const labelById = new Map(optionsOf(interaction).map(({ id, label }) => [id, label]));
  return toPage(rows, { limit: input.limit, scope, toItem: (row) => responseToOutput(row, labelById) });
}

const responseToOutput = (
  { at, ...row }: RowsOf<typeof clicksPage>,
  labelById: ReadonlyMap<string, string>,
): z.input<typeof ResponseOutput> => ({
  ...row,
  selectedOption: row.selectedOption ?? labelById.get(row.optionId ?? '') ?? null,
  answeredAt: at.toISOString(),
});

const selectPeople = statement({
  name: 'attendees.select_respondents',
  text: 'select id, name, email from attendees.registration where account_id = $1 and id = any($2::uuid[])',
  row: { id: column.id, name: column.text, email: column.text },
});

/** A page of responses with names and e-mail addresses, newest first. Throws webinar_not_found, interaction_not_found. */
export async function listRespondents(
  reader: AccountReader,
  input: z.output<typeof ListResponsesInput>,
): Promise<{
  data: z.input<typeof RespondentOutput>[];
  pagination: Awaited<ReturnType<typeof listResponses>>['pagination'];
}> {
  const { data, pagination } = await listResponses(reader, input);
  const ids = [...new Set(data.map(({ registrationId }) => registrationId))];
  const people = await reader.query(selectPeople, [reader.accountId, ids]);
  const byId = new Map(people.map((person) => [person.id, person]));
  return {
    data: data.map((response) => {
      const person = byId.get(response.registrationId);
      return { ...response, name: person?.name ?? null, email: person?.email ?? null };
    }),
    pagination,
  };
}

/**
 * Counts views, clicks and answers of an interaction. The downloads of a handout count as clicks. Throws webinar_not_found,
 * interaction_not_found.
 */
export async function interactionStats(
  { reader, ...parts }: CountParts,
  address: InteractionAddress,
): Promise<z.input<typeof StatsOutput>> {
  const interaction = await findInteraction(reader, address);
  const { id } = interaction;
  const rows = await countResponses(reader, { ...parts, interactionIds: [id] });
  const answers = new Map(
    rows.filter((row) => row.kind === 'poll_response').map((row) => [row.optionId, row.events]),
  );
  return {
    views: sumOf(rows, 'interaction_view'),
    clicks: sumOf(rows, 'click'),
    uniqueClickers: sumOf(rows, 'click', 'registrations'),
    responses: sumOf(rows, 'poll_response'),
    options: optionsOf(interaction).map(({ id, label }) => ({ id, label, count: answers.get(id) ?? 0 })),
  };
}

const optionsOf = (interaction: Interaction): Poll['options'] => pollOf(interaction)?.options ?? [];
