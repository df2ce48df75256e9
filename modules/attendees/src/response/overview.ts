// Responses as the dashboard shows them: counts of all interactions of a webinar, and responses with their people.
import { column, statement, type AccountReader } from '@service/database';
import { listInteractionIds } from '@service/webinars';
import type { z } from 'zod';
import { countResponses, sumOf, type CountParts } from './count-responses.ts';
import { listResponses } from './responses.ts';
import type { ListResponsesInput, RespondentOutput, ResponseCountsOutput } from './schemas.ts';

/** Counts views, clicks and answers of all interactions of a webinar. Throws webinar_not_found. */
export async function countEachInteraction(
  { reader, ...parts }: CountParts,
  webinarId: string,
): Promise<z.input<typeof ResponseCountsOutput>[]> {
  const interactionIds = await listInteractionIds(reader, webinarId);
  if (interactionIds.length === 0) return [];
  const counts = await countResponses(reader, { ...parts, interactionIds });
  const countsOf = Map.groupBy(counts, (row) => row.interactionId);
  return interactionIds.map((interactionId) => {
    const rows = countsOf.get(interactionId) ?? [];
    return {
      interactionId,
      views: sumOf(rows, 'interaction_view'),
      clicks: sumOf(rows, 'click'),
      clickers: sumOf(rows, 'click', 'registrations'),
      answers: sumOf(rows, 'poll_response'),
    };
  });
}

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
