import { Button, CloseButton, Group, TextInput } from '@mantine/core';
import { IconSearch } from '@service/icons';
import { Children, isValidElement, useState, type ReactNode } from 'react';
import type { TimeRange } from '../time-ranges.ts';
import styles from './filter-bar.module.css';

interface FilterBarProps {
  /** The grid of wide pages, instead of the usual one. */
  className?: string | undefined;
  children: ReactNode;
}

/** Filters that a narrow page shows at once. */
const shownMax = 2;

/**
 * The filters above a list. A narrow page shows two of them, and the others when a button is pressed, or from the beginning when one of
 * these has a value.
 */
export function FilterBar({ className, children }: FilterBarProps) {
  const folded = Children.toArray(children).slice(shownMax);
  const [isOpen, setIsOpen] = useState(folded.some(hasValue));
  const isFoldable = folded.length > 0;
  return (
    <search
      className={`${styles['filters']} ${className ?? ''}`}
      data-folded={(isFoldable && !isOpen) || undefined}
      aria-label="Filters"
    >
      {children}
      {isFoldable ? (
        <Button
          className={styles['more']}
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Fewer filters' : 'More filters'}
        </Button>
      ) : null}
    </search>
  );
}

const hasValue = (filter: ReactNode): boolean =>
  isValidElement<{ value?: string }>(filter) && Boolean(filter.props.value);

interface SearchFilterProps {
  label: string;
  placeholder?: string | undefined;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A text to search for. Searches on Enter and when the field loses the focus, not at every character. */
export function SearchFilter({ label, placeholder, value, onChange }: SearchFilterProps) {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? value ?? '';
  const apply = (text: string) => {
    const wanted = text.trim() || undefined;
    if (wanted !== value) onChange(wanted);
    setTyped(undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply(shown);
      }}
    >
      <TextInput
        label={label}
        placeholder={placeholder}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        leftSection={<IconSearch size={14} />}
        rightSection={
          shown === '' ? null : (
            <CloseButton size="sm" aria-label={`Clear ${label.toLowerCase()}`} onClick={() => apply('')} />
          )
        }
        value={shown}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => apply(shown)}
      />
    </form>
  );
}

interface NoMatchActionsProps {
  search: { range?: TimeRange | undefined; from?: string | undefined };
  defaultRange: TimeRange;
  show: (change: { range: TimeRange; from: undefined; to: undefined }) => void;
  /** Absent when there are no filters. */
  onClear: (() => void) | undefined;
}

/** The buttons of a list without a match: they drop the filters and look further back. */
export function NoMatchActions({ search, defaultRange, show, onClear }: NoMatchActionsProps) {
  const isWidest = search.from === undefined && (search.range ?? defaultRange) === 'last_90_days';
  return (
    <Group gap="xs" justify="center">
      {onClear ? <Button onClick={onClear}>Clear filters</Button> : null}
      {isWidest ? null : (
        <Button
          variant="default"
          onClick={() => show({ range: 'last_90_days', from: undefined, to: undefined })}
        >
          Show the last 90 days
        </Button>
      )}
    </Group>
  );
}
