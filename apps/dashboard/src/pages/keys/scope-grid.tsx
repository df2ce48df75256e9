import { Checkbox, Tooltip } from '@mantine/core';
import type { KeyOptions } from '../../trpc.ts';
import styles from './access-picker.module.css';
import { scopeRows, toggleScope, type Access } from './access.ts';

interface ScopeGridProps {
  options: KeyOptions;
  access: Access;
  onChange: (access: Access) => void;
}

/** Read and write scopes by resource. Write does not include read, so each has a checkbox. */
export function ScopeGrid({ options, access, onChange }: ScopeGridProps) {
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
        {scopeRows(options).map(({ resource, scopes }) => (
          <tr key={resource}>
            <th scope="row">{resource}</th>
            {scopes.map(({ id, description }) => (
              <td key={id}>
                <Tooltip label={description} multiline maw={260} refProp="rootRef">
                  <Checkbox
                    aria-label={id}
                    checked={access.scopes.includes(id)}
                    onChange={() => onChange(toggleScope(access, id))}
                  />
                </Tooltip>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
