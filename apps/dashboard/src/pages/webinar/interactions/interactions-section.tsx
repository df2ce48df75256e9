import { Select } from '@mantine/core';
import { IconClockPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Section } from '../../../components/section.tsx';
import type { Interaction, Segment, Webinar } from '../../../trpc.ts';
import { AddInteraction } from './add-interaction.tsx';
import { Axis } from './axis.tsx';
import { DeleteInteractionDialog } from './delete-interaction-dialog.tsx';
import { InteractionsTable } from './interactions-table.tsx';
import { useInteractionsSearch } from './use-interactions-search.ts';
import { warningsOf } from './warnings.ts';

export interface WebinarParts {
  webinar: Webinar;
  interactions: readonly Interaction[];
  /** Those of an adaptive webinar. */
  segments: readonly Segment[];
}

export function InteractionsSection({ webinar, interactions, segments }: WebinarParts) {
  const { search, show, showSegment } = useInteractionsSearch();
  const [leaving, setLeaving] = useState<Interaction>();
  const segment = segments.find(({ id }) => id === search.segment);
  const { durationSeconds } = segment ?? webinar;
  const shown = interactions.filter(({ segmentId }) => segmentId === (segment?.id ?? null));
  const warnings = warningsOf(shown, durationSeconds);
  const add = <AddInteraction count={interactions.length} onAdd={(type) => show({ new: type })} />;
  return (
    <Section
      title="Interactions"
      text="Offers, CTAs, polls and handouts that attendees see at a time of the video."
      action={shown.length > 0 ? add : null}
      apiCall={{ operation: 'GET /webinars/{webinarId}/interactions', params: { webinarId: webinar.id } }}
    >
      {segments.length > 0 ? (
        <SegmentSelect
          segments={segments}
          interactions={interactions}
          value={segment?.id}
          onChange={showSegment}
        />
      ) : null}
      {shown.length === 0 ? (
        <EmptyState
          icon={IconClockPlay}
          title="No interactions yet"
          action={add}
          steps={[
            'Add an offer, a CTA, a poll or a handout.',
            'Choose when it appears, and for whom.',
            'After the session, read here who clicked and answered.',
          ]}
        >
          They appear by themselves while the video plays, for each attendee at the same place.
        </EmptyState>
      ) : (
        <>
          <Axis
            interactions={shown}
            durationSeconds={durationSeconds}
            warnings={warnings}
            onOpen={(interaction) => show({ interaction })}
          />
          <InteractionsTable interactions={shown} warnings={warnings} onDelete={setLeaving} />
        </>
      )}
      <DeleteInteractionDialog interaction={leaving} onClose={() => setLeaving(undefined)} />
    </Section>
  );
}

interface SegmentSelectProps {
  segments: readonly Segment[];
  interactions: readonly Interaction[];
  value: string | undefined;
  onChange: (segment: string | undefined) => void;
}

const whole = 'whole';

function SegmentSelect({ segments, interactions, value, onChange }: SegmentSelectProps) {
  const countOf = (id: string | null): number =>
    interactions.filter(({ segmentId }) => segmentId === id).length;
  const data = [
    { value: whole, label: `In no segment (${countOf(null)})` },
    ...segments.map(({ id, title }) => ({ value: id, label: `${title} (${countOf(id)})` })),
  ];
  return (
    <Select
      label="Segment"
      description="Each segment of an adaptive webinar has a video and interactions of its own."
      mb="md"
      maw={420}
      allowDeselect={false}
      searchable
      data={data}
      value={value ?? whole}
      onChange={(chosen) => onChange(chosen === whole ? undefined : (chosen ?? undefined))}
    />
  );
}
