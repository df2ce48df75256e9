import '../../components/choices.css';
import { Checkbox, Input, Radio, Tooltip } from '@mantine/core';
import {
  allPresets,
  allScopes,
  presets,
  scopeNotices,
  scopes,
  type Preset,
  type Scope,
} from '@service/catalogue';
import type { ReactNode } from 'react';
import { Notice } from '../../components/notice.tsx';
import styles from './access-picker.module.css';
import { choosePreset, presetAccess, scopeRows, toggleScope, type Access } from './access.ts';

interface ScopePickerProps {
  access: Access;
  onChange: (access: Access) => void;
  error?: ReactNode;
  /** The text of each preset. */
  descriptions: Readonly<Record<Preset, string>>;
  /** All scopes by default. */
  offered?: readonly Scope[] | undefined;
}

/** Presets, and the scopes one by one. */
export function ScopePicker({
  access,
  onChange,
  error,
  descriptions,
  offered = allScopes,
}: ScopePickerProps) {
  const choices = [
    ...allPresets
      .filter((id) => isChoice(id, offered))
      .map((id) => ({ value: id as string, label: presets[id].label, description: descriptions[id] })),
    { value: 'custom', label: 'Custom', description: 'Only the scopes that you select below.' },
  ];
  const choose = (value: string) =>
    onChange(choosePreset(access, allPresets.find((id) => id === value) ?? null, offered));
  return (
    <>
      <Radio.Group label="Access" value={access.preset ?? 'custom'} onChange={choose}>
        <div className={styles['presets']}>
          {choices.map(({ value, label, description }) => (
            <Radio.Card key={value} value={value} className={styles['preset']} aria-label={label}>
              <span className={styles['presetName']}>{label}</span>
              <span className={styles['presetText']}>{description}</span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <Input.Wrapper label="Scopes" labelElement="div" error={error}>
        <ScopeGrid access={access} onChange={onChange} offered={offered} />
      </Input.Wrapper>
      {access.scopes.flatMap((scope) => {
        const notice = scopeNotices[scope];
        return notice === undefined
          ? []
          : [
              <Notice key={scope} tone="warn">
                {notice}
              </Notice>,
            ];
      })}
    </>
  );
}

/** False for a preset that would have no scope, or the same scopes as Full access. */
function isChoice(preset: Preset, offered: readonly Scope[]): boolean {
  const { length } = presetAccess(preset, offered).scopes;
  return preset === 'full' || (length > 0 && length < offered.length);
}

interface ScopeGridProps {
  access: Access;
  onChange: (access: Access) => void;
  /** All scopes by default. */
  offered?: readonly Scope[] | undefined;
}

/** Read and write scopes by resource. Write does not include read, so each has a checkbox. */
function ScopeGrid({ access, onChange, offered = allScopes }: ScopeGridProps) {
  return (
    <table className={styles['grid']}>
      <thead>
        <tr>
          <th scope="col">Resource</th>
          <th scope="col">Read</th>
          <th scope="col">Write</th>
        </tr>
      </thead>
      <tbody>
        {scopeRows(offered).map(({ resource, cells }) => (
          <tr key={resource}>
            <th scope="row">{resource}</th>
            {cells.map(({ action, scope }) => (
              <td key={action}>
                {scope ? (
                  <Tooltip label={scopes[scope]} multiline maw={260} refProp="rootRef">
                    <Checkbox
                      aria-label={scope}
                      checked={access.scopes.includes(scope)}
                      onChange={() => onChange(toggleScope(access, scope))}
                    />
                  </Tooltip>
                ) : null}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
