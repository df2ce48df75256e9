// Responses as the dashboard shows them: counts of all interactions of a webinar in one statement, and responses with their people.
import { column, lowestIdSince, statement, type AccountReader } from '@service/database';
import { listInteractionIds } from '@service/webinars';
import type { z } from 'zod';
import { listResponses } from './responses.ts';
import type { ListResponsesInput, RespondentOutput, ResponseCountsOutput } from './schemas.ts';

// For each interaction apart, so that each reads its own part of the index. A view is recorded once for each registration.
const countEach = statement({
  name: 'attendees.count_each_response',
  text: `
    select i.id::uuid as "interactionId", coalesce(e.views, 0)::int as views, (coalesce(e.clicks, 0) + coalesce(d.clicks, 0))::int as clicks,
           (coalesce(e.clickers, 0) + coalesce(d.clickers, 0))::int as clickers, coalesce(e.answers, 0)::int as answers
    from unnest($2::text[]) as i (id)
    cross join lateral (
      select count(*) filter (where type = 'interaction_view') as views,
             count(*) filter (where type = 'cta_click') as clicks,
             count(distinct registration_id) filter (where type = 'cta_click') as clickers,
             count(*) filter (where type = 'poll_response') as answers
      from attendees.attendee_event
      where account_id = $1 and data ->> 'interactionId' = i.id
        and type in ('interaction_view', 'cta_click', 'poll_response') and id >= $3
    ) e
    cross join lateral (
      select count(*) as clicks, count(distinct registration_id) as clickers
      from attendees.attendee_event
      where account_id = $1 and data ->> 'interactionId' = i.id and type = 'handout_download' and id >= $3
    ) d`,
  row: {
    interactionId: column.id,
    views: column.integer,
    clicks: column.integer,
    clickers: column.integer,
    answers: column.integer,
  },
});

/** Counts views, clicks and answers of all interactions of a webinar. Throws webinar_not_found. */
export async function countResponses(
  reader: AccountReader,
  webinarId: string,
): Promise<z.input<typeof ResponseCountsOutput>[]> {
  const ids = await listInteractionIds(reader, webinarId);
  if (ids.length === 0) return [];
  const first = lowestIdSince(webinarId);
  return reader.query(countEach, [reader.accountId, ids, first]);
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
