import { Checkbox, Tooltip } from '@mantine/core';
import { allScopes, scopes, type Scope } from '@service/catalogue';
import styles from './access-picker.module.css';
import { scopeRows, toggleScope, type Access } from './access.ts';

interface ScopeGridProps {
  access: Access;
  onChange: (access: Access) => void;
  /** All scopes by default. */
  offered?: readonly Scope[] | undefined;
}

/** Read and write scopes by resource. Write does not include read, so each has a checkbox. */
export function ScopeGrid({ access, onChange, offered = allScopes }: ScopeGridProps) {
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
