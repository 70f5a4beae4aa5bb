import type { ObjectChange, ReleaseDiff } from '@quayside/contract/upgrade'
import { useState } from 'react'
import { LazyDiff } from './lazy-diff.tsx'
import styles from './release-changes.module.css'
import { ViewToggle } from './view-toggle.tsx'

type View = 'values' | 'objects'
type Names = readonly [string, string]

const t = {
  compare: 'Compare',
  values: 'Values',
  objects: 'Objects',
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
  oneUnchanged: '1 object stays as it is.',
  unchanged: '{n} objects stay as they are.',
  notRendered: 'The objects cannot be shown:',
}

/** What differs between two states of a release: its values, and the objects that come of them. */
export function ReleaseChanges({ diff, names, first = 'values' }: { diff: ReleaseDiff; names: Names; first?: View }) {
  const [view, setView] = useState<View>(first)
  const views = [
    { key: 'values', title: t.values },
    { key: 'objects', title: `${t.objects} (${diff.objects.length})` },
  ] as const
  return (
    <div className={styles.changes}>
      <ViewToggle label={t.compare} views={views} value={view} onChange={setView} />
      {view === 'values' ? (
        <LazyDiff label={`${t.values}: ${names.join(' → ')}`} {...diff.values} names={names} />
      ) : (
        <Objects diff={diff} names={names} />
      )}
    </div>
  )
}

const words = { added: t.added, removed: t.removed, changed: t.changed } as const

/** The objects that differ, and one text of all of them. */
export function Objects({ diff, names }: { diff: ReleaseDiff; names: Names }) {
  if (diff.problem !== null) {
    return (
      <p role="alert" className={styles.problem}>
        <strong>
          <bdi>{t.notRendered}</bdi>
        </strong>{' '}
        <bdi>{diff.problem}</bdi>
      </p>
    )
  }
  const unchanged = diff.unchanged === 1 ? t.oneUnchanged : t.unchanged.replace('{n}', String(diff.unchanged))
  return (
    <>
      <ul className={styles.objects} aria-label={t.objects}>
        {diff.objects.map((one) => (
          <li key={`${one.kind} ${one.namespace} ${one.name}`} className={styles.object}>
            <span className={styles[one.change]}>{words[one.change]}</span>
            <span>{one.kind}</span>
            <bdi className="mono">{one.name}</bdi>
          </li>
        ))}
        <li className={styles.rest}>
          <bdi>{unchanged}</bdi>
        </li>
      </ul>
      {diff.objects.length > 0 && (
        <LazyDiff
          label={`${t.objects}: ${names.join(' → ')}`}
          before={joined(diff.objects, 'before')}
          after={joined(diff.objects, 'after')}
          names={names}
        />
      )}
    </>
  )
}

function joined(objects: readonly ObjectChange[], side: 'before' | 'after'): string {
  return objects
    .filter((one) => one[side] !== '')
    .map((one) => `# ${one.kind} ${one.name}\n${one[side]}`)
    .join('---\n')
}
