import { Button, Menu } from '@mantine/core';
import type { InteractionType } from '@service/webinars/inputs';
import { IconChevronDown, IconClockPlay, IconPlus } from '@service/icons';
import { lazy, useState } from 'react';
import { namesOf } from '../../../components/conditions/use-names.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { LateModal } from '../../../components/late-modal.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { Section } from '../../../components/section.tsx';
import type { Interaction, Segment, Webinar } from '../../../trpc.ts';
import { useInteractionsSearch } from '../use-tab-search.ts';
import { Axis } from './axis.tsx';
import { typeLooks } from './interaction-texts.ts';
import { InteractionsTable } from './interactions-table.tsx';
import styles from './interactions.module.css';
import { warningsOf } from './warnings.ts';

// Loaded when its dialog opens.
const DeleteInteraction = lazy(async () => ({
  default: (await import('./delete-interaction.tsx')).DeleteInteraction,
}));

export interface WebinarParts {
  webinar: Webinar;
  interactions: readonly Interaction[];
  /** Those of an adaptive webinar. */
  segments: readonly Segment[];
}

export function InteractionsSection({ webinar, interactions, segments }: WebinarParts) {
  const { search, show, showSegment } = useInteractionsSearch();
  const [leaving, setLeaving] = useState<Interaction>();
  const close = () => setLeaving(undefined);
  const segment = segments.find(({ id }) => id === search.segment);
  const { durationSeconds } = segment ?? webinar;
  const shown = interactions.filter(({ segmentId }) => segmentId === (segment?.id ?? null));
  const customFields = new Map(webinar.registrationForm.fields.map(({ key, label }) => [key, label]));
  const names = namesOf({ interactions, segments, branches: undefined, customFields });
  const warnings = warningsOf(shown, durationSeconds);
  const add = <AddInteraction count={interactions.length} onAdd={(type) => show({ new: type })} />;
  return (
    <Section
      title="Interactions"
      text="Offers, CTAs, polls, handouts and chat messages that attendees see at a time of the video."
      action={shown.length > 0 ? add : null}
      apiCall={{ operation: 'GET /webinars/{webinarId}/interactions', params: { webinarId: webinar.id } }}
      exported={{ list: 'interactions', input: { webinarId: webinar.id } }}
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
            names={names}
            warnings={warnings}
            onOpen={(interaction) => show({ interaction })}
          />
          <InteractionsTable interactions={shown} names={names} warnings={warnings} onDelete={setLeaving} />
        </>
      )}
      <LateModal
        opened={leaving !== undefined}
        onClose={close}
        title={
          leaving
            ? `Delete ${typeLooks[leaving.type].withArticle.split(' ')[1]} “${leaving.internalName}”`
            : ''
        }
        height={180}
      >
        {leaving ? <DeleteInteraction interaction={leaving} onClose={close} /> : null}
      </LateModal>
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
    <SearchSelect
      label="Segment"
      description="Each segment of an adaptive webinar has a video and interactions of its own."
      mb="md"
      maw={420}
      data={data}
      value={value ?? whole}
      onChange={(chosen) => onChange(chosen === whole ? undefined : (chosen ?? undefined))}
    />
  );
}

/** The limit of the service. Its own constant would bring all of its schemas into the list. */
const interactionsMax = 200;

const types = Object.keys(typeLooks) as InteractionType[];

interface AddInteractionProps {
  /** The interactions that the webinar has. */
  count: number;
  onAdd: (type: InteractionType) => void;
}

function AddInteraction({ count, onAdd }: AddInteractionProps) {
  if (count >= interactionsMax) {
    const reason = `A webinar has at most ${interactionsMax} interactions. Delete one first.`;
    return (
      <GuardedButton reason={reason} leftSection={<IconPlus size={15} />} onClick={() => undefined}>
        Add interaction
      </GuardedButton>
    );
  }
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button leftSection={<IconPlus size={15} />} rightSection={<IconChevronDown size={14} />}>
          Add interaction
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {types.map((type) => {
          const { icon: Icon, word, use, tone } = typeLooks[type];
          return (
            <Menu.Item key={type} leftSection={<Icon size={16} color={tone} />} onClick={() => onAdd(type)}>
              {word}
              <span className={styles['use']}>{use}</span>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
