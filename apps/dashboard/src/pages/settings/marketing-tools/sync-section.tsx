import { Skeleton, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { UnsavedGuard } from '../../../components/unsaved-guard.tsx';
import { failureOf } from '../../../failure.ts';
import { changedFields } from '../../../record-form/edits.ts';
import { SaveBar } from '../../../record-form/save-bar.tsx';
import { useTRPCClient, type Connection, type MarketingTool } from '../../../trpc.ts';
import { useConnectionsChanged } from '../connections/connection-texts.ts';
import { MappingFields } from './mapping-fields.tsx';
import { PeopleFields } from './people-fields.tsx';
import { SyncPreview } from './sync-preview.tsx';
import styles from './sync-section.module.css';
import { useCatalogue, usePreview, useTool, type SyncSettings } from './tools.ts';

interface SyncSectionProps {
  connection: Connection;
  isOwner: boolean;
}

/** "Keep every registrant in step": the settings, and the requests for the latest registrants. */
export function SyncSection({ connection, isOwner }: SyncSectionProps) {
  const tool = useTool(connection);
  const { sync } = connection.settings;
  if (!tool || !sync) return <Skeleton height={420} aria-busy />;
  return (
    <SyncForm connection={connection} tool={tool} saved={{ name: connection.name, sync }} isOwner={isOwner} />
  );
}

export interface SyncValues {
  name: string;
  sync: SyncSettings;
}

/** The settings that were edited here and are not saved yet. */
interface Edited {
  name?: string;
  sync: Partial<SyncSettings>;
}

interface SyncFormProps extends SyncSectionProps {
  tool: MarketingTool;
  saved: SyncValues;
}

function SyncForm({ connection, tool, saved, isOwner }: SyncFormProps) {
  const { connections } = useTRPCClient();
  const { id: connectionId } = connection;
  const changed = useConnectionsChanged();
  // Settings without an edit follow the changes of others.
  const [edited, setEdited] = useState<Edited>({ sync: {} });
  const sync = useMemo(() => ({ ...saved.sync, ...edited.sync }), [saved.sync, edited.sync]);
  const values: SyncValues = { name: edited.name ?? saved.name, sync };
  const isDirty = Object.keys(changedFields(saved, values)).length > 0;
  const catalogue = useCatalogue(connectionId);
  const preview = usePreview(connectionId, values.sync);
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: ({ name, sync }: Edited) =>
      connections.changeSync.mutate({
        connectionId,
        ...(name !== undefined && { name: name.trim() }),
        sync: changedFields(saved.sync, { ...saved.sync, ...sync }),
      }),
    onSuccess: async (_answer, sent) => {
      await changed();
      // Edits that were made while it was saved stay.
      setEdited((now) => (now === sent ? { sync: {} } : now));
    },
  });
  const issues = error ? failureOf(error).issues : [];
  const errors = Object.fromEntries(issues.map(({ path, message }) => [path, message]));
  const change = (sync: Partial<SyncSettings>) =>
    setEdited((now) => ({ ...now, sync: { ...now.sync, ...sync } }));
  const discard = () => {
    setEdited({ sync: {} });
    reset();
  };
  const unsavedReason = isDirty ? 'Save or discard your changes first.' : undefined;
  return (
    <>
      <Section
        title="Keep every registrant in step"
        text={`The values and tags that each registrant has at ${tool.name}, without a rule.${isOwner ? '' : ' Only owners change them.'}`}
      >
        <form
          aria-label="Keep every registrant in step"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (isDirty && !isPending) mutate(edited);
          }}
        >
          <fieldset className={styles['fields']} disabled={!isOwner}>
            <Stack gap="xl">
              <Switch
                label="Keep every registrant in step"
                description="Off: only rules update contacts."
                checked={values.sync.enabled}
                onChange={(event) => change({ enabled: event.currentTarget.checked })}
              />
              <MappingFields
                connectionId={connectionId}
                tool={tool}
                sync={values.sync}
                catalogue={catalogue}
                people={preview.people}
                errors={errors}
                isOwner={isOwner}
                unsavedReason={unsavedReason}
                onChange={change}
              />
              <PeopleFields
                tool={tool}
                sync={values.sync}
                catalogue={catalogue.data}
                errors={errors}
                onChange={change}
              />
              <TextInput
                label="Name of the connection"
                maw={380}
                maxLength={100}
                autoComplete="off"
                error={errors['name']}
                value={values.name}
                onChange={(event) => setEdited({ ...edited, name: event.currentTarget.value })}
              />
            </Stack>
          </fieldset>
          {error ? (
            <FailureNotice error={error} shownPaths={issues.map(({ path }) => path).filter(isShown)} />
          ) : null}
          {isOwner ? (
            <SaveBar
              state={isDirty ? 'Unsaved changes' : isSuccess ? 'Saved' : 'No unsaved changes'}
              isDirty={isDirty}
              isSaving={isPending}
              onDiscard={discard}
            />
          ) : null}
        </form>
      </Section>
      <SyncPreview connection={connection} preview={preview} unsavedReason={unsavedReason} />
      <UnsavedGuard isDirty={isDirty} />
    </>
  );
}

/** The paths whose messages stand beside their fields. */
const isShown = (path: string): boolean =>
  path === 'name' ||
  /^sync\.fields\.\w+\.key$/.test(path) ||
  /^sync\.(tags\.prefix|lists|webinarsLeftOut|domainsLeftOut)/.test(path);
