import { useState } from 'react'
import { ViewToggle } from '../lists/view-toggle.tsx'
import styles from './changes.module.css'
import { LazyDiff } from './lazy-diff.tsx'

type View = 'values' | 'objects'
type Names = readonly [string, string]

interface ObjectChange {
  kind: string
  name: string
  namespace: string | null
  change: 'added' | 'removed' | 'changed'
  before: string
  after: string
}

/** Two states of something that is made of values: texts of both sides, and the objects that are not the same. */
interface Differences {
  values: { before: string; after: string }
  objects: readonly ObjectChange[]
  /** How many objects are the same in both. */
  unchanged: number
  /** Why the objects could not be compared, if they could not. */
  problem: string | null
}

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

/** The differences between two states: in values, and in the objects rendered from them. */
export function Changes({ diff, names, first = 'values' }: { diff: Differences; names: Names; first?: View }) {
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
export function Objects({ diff, names }: { diff: Differences; names: Names }) {
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
