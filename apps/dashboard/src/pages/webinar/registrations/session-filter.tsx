import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceFilter } from '../../../components/choice-filter.tsx';
import { useTRPC, type Session } from '../../../trpc.ts';
import { slotText } from './slot-text.ts';
import { useWebinar } from '../use-webinar.ts';
import { useRegistrationsSearch } from './use-registrations-search.ts';

const lists = ['live', 'upcoming', 'past'] as const;
const sessionsMax = 50;

const labels = { live: 'Live', upcoming: 'Upcoming', past: 'Past' };

/** Chooses one of the sessions nearest to now. They are read when the list opens. */
export function SessionFilter() {
  const trpc = useTRPC();
  const { webinarId, search, show } = useRegistrationsSearch();
  const timeZone = useWebinar().data?.data.timezone;
  const [isOpened, setOpened] = useState(false);
  const sessions = useQueries({
    queries: lists.map((when) =>
      trpc.sessions.listByStart.queryOptions(
        { webinarId, when, limit: sessionsMax },
        { enabled: isOpened || search.session !== undefined },
      ),
    ),
    combine: (results) => results.map(({ data }) => data?.data ?? []),
  });
  const toOption = ({ id, startsAt, kind }: Session) => ({
    value: id,
    label: slotText({ startsAt, kind }, timeZone),
  });
  const groups = sessions.map((found, index) => ({
    group: labels[lists[index]!],
    items: found.map(toOption),
  }));
  const isListed = groups.some(({ items }) => items.some(({ value }) => value === search.session));
  return (
    <ChoiceFilter
      label="Session"
      searchable
      choices={[
        // A link can name a session that is not among the nearest.
        ...(search.session && !isListed ? [{ value: search.session, label: 'One session' }] : []),
        ...groups.filter(({ items }) => items.length > 0),
      ]}
      value={search.session}
      onChange={(session) => show({ session })}
      onDropdownOpen={() => setOpened(true)}
    />
  );
}
