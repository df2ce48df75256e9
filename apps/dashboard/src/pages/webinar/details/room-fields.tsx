import { Select, Switch } from '@mantine/core';
import { NumberField } from '../../../components/number-field.tsx';
import { FieldRow, SettingsGroup } from '../../../components/section.tsx';
import type { DetailsFieldsProps } from './basic-fields.tsx';
import { detailsLabels as labels } from './details-values.ts';

const lateJoins = [
  { value: 'in_progress', label: 'Join at the current position' },
  { value: 'from_start', label: 'Watch from the beginning' },
  { value: 'closed', label: 'Cannot join after the start' },
];

const chatModes = [
  { value: 'public', label: 'Attendees see all messages' },
  { value: 'private', label: 'Attendees see only their own messages' },
  { value: 'off', label: 'No chat' },
];

export function RoomFields({ form }: DetailsFieldsProps) {
  const isClosed = form.values.room.lateJoin === 'closed';
  return (
    <>
      <SettingsGroup title="Room" text="The rules during a session.">
        <FieldRow>
          <Select
            label={labels['room.lateJoin']}
            data={lateJoins}
            allowDeselect={false}
            {...form.getInputProps('room.lateJoin')}
          />
          <NumberField
            label={labels['room.lateCutoffMinutes']}
            suffix=" min"
            placeholder="Open until the end"
            disabled={isClosed}
            {...form.getInputProps('room.lateCutoffMinutes')}
          />
        </FieldRow>
        <FieldRow>
          <Select
            label={labels['room.chatMode']}
            data={chatModes}
            allowDeselect={false}
            {...form.getInputProps('room.chatMode')}
          />
          <NumberField
            label={labels['room.lobbyMinutes']}
            suffix=" min"
            {...form.getInputProps('room.lobbyMinutes')}
          />
        </FieldRow>
        <Switch
          label={labels['room.seekAllowed']}
          description="Off: the video plays like a live session."
          {...form.getInputProps('room.seekAllowed', { type: 'checkbox' })}
        />
      </SettingsGroup>
      <SettingsGroup title="Replay" text="Attendees watch the session again after its end.">
        <Switch label="Offer a replay" {...form.getInputProps('replay.enabled', { type: 'checkbox' })} />
        <FieldRow>
          <NumberField
            label={labels['replay.availableHours']}
            suffix=" h"
            placeholder="No limit"
            {...form.getInputProps('replay.availableHours')}
          />
        </FieldRow>
      </SettingsGroup>
    </>
  );
}
