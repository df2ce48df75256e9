// The search: pages and actions at once, and what the server finds.
import '@mantine/spotlight/styles.layer.css';
import { VisuallyHidden } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@service/icons';
import { useEffect, useState } from 'react';
import { failureOf } from '../failure.ts';
import { formatPlural } from '../format.ts';
import { onOpenPalette } from './open-palette.ts';
import { useCommands, type PaletteEntry, type PaletteGroup } from './use-commands.ts';
import { useFound, useFoundEntries } from './use-found.ts';

const [store, dialog] = createSpotlight();

export function Palette() {
  const [text, setText] = useState('');
  useEffect(() => {
    // It was loaded because a person opened it.
    dialog.open();
    return onOpenPalette(dialog.open);
  }, []);
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      scrollable
      maxHeight={460}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      title={<VisuallyHidden>Search</VisuallyHidden>}
      // The title has no place of its own, and its background would cover the field.
      styles={{ header: { minHeight: 0, padding: 0 } }}
    >
      <Spotlight.Search
        leftSection={<IconSearch size={17} />}
        placeholder="Webinar, name, e-mail or any id…"
        aria-label="Search"
      />
      <Results text={text} />
    </Spotlight.Root>
  );
}

/** Inside the dialog, so that it asks the server only while the dialog is open. */
function Results({ text }: { text: string }) {
  const commands = matching(useCommands(), text);
  const found = useFound(text);
  const groups = [...useFoundEntries(found), ...commands].filter(({ entries }) => entries.length > 0);
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id)).join(' ');
  // Spotlight selects the first match while a person types, but not one that arrives later.
  useEffect(() => {
    if (text !== '' && ids !== '') selectFirst();
  }, [ids, text]);
  return (
    <>
      <Spotlight.ActionsList>
        {groups.map(({ heading, entries }) => (
          <Spotlight.ActionsGroup key={heading} label={heading}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
      </Spotlight.ActionsList>
      {count === 0 ? <Spotlight.Empty>{emptyText(found)}</Spotlight.Empty> : null}
      <VisuallyHidden role="status">{found.isSearching ? '' : formatPlural(count, 'result')}</VisuallyHidden>
    </>
  );
}

/** As Spotlight selects an action, which it does not export. */
function selectFirst(): void {
  const state = store.getState();
  const list = document.getElementById(state.listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.setState({ ...state, selected: 0 });
}

const Entry = ({ entry: { label, description, icon: Icon, run } }: { entry: PaletteEntry }) => (
  <Spotlight.Action
    label={label}
    description={description}
    leftSection={<Icon size={17} stroke={1.7} />}
    onClick={run}
  />
);

function emptyText({ isSearching, error }: ReturnType<typeof useFound>): string {
  if (isSearching) return 'Searching…';
  if (error) return failureOf(error).message;
  return 'Nothing matches. Search by the title of a webinar, by the beginning of a name or an e-mail address, or paste an id.';
}

/** Without a text all of them, else those with every word of it. */
const matching = (groups: readonly PaletteGroup[], text: string): PaletteGroup[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups.map(({ heading, entries }) => ({
    heading,
    entries: entries.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word))),
  }));
};
