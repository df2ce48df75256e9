import { Notice } from '../../components/notice.tsx';
import { DueTime } from '../../components/relative-time.tsx';
import { formatPlural } from '../../format.ts';
import { healthText } from '../delivery/failure-text.ts';
import { TryNow } from './paused-notice.tsx';
import styles from './paused-list.module.css';
import { SourceLink } from './source-link.tsx';
import type { Source } from './source.ts';

/** Paused endpoints as one notice. Several are collapsed, so that they do not push the page away. */
export function PausedEntries({ sources }: { sources: readonly Source[] }) {
  return (
    <div className={styles['paused']}>
      <Notice tone="warn">
        {sources.length === 1 ? (
          <>
            <Entry source={sources[0]!} isAlone />
            {lostText}
          </>
        ) : (
          <details>
            <summary>
              <b>{formatPlural(sources.length, 'endpoint')} are paused.</b> {lostText}
            </summary>
            <ul className={styles['list']}>
              {sources.map((source) => (
                <li key={source.id}>
                  <Entry source={source} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </Notice>
    </div>
  );
}

const lostText = 'No delivery is lost: they wait and are sent when the endpoint answers again.';

function Entry({ source, isAlone = false }: { source: Source; isAlone?: boolean }) {
  const { kind, health } = source;
  return (
    <div className={styles['entry']}>
      <div>
        <div className={styles['name']}>
          {kind === 'rule' ? 'The rule' : 'The subscription'} <SourceLink source={source} />
          {isAlone ? ' is paused' : null}
        </div>
        {healthText(health)}.
        {health.nextProbeAt ? (
          <>
            {' '}
            Next try <DueTime at={health.nextProbeAt} />.
          </>
        ) : null}
      </div>
      <TryNow source={source} />
    </div>
  );
}
