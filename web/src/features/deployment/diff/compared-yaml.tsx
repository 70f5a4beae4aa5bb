import { keptSecret, type MarkOf, maskDocument } from '@quayside/contract/values/masking'
import { sameValue, valueAt } from '@quayside/contract/values/plain-values'
import { secretPathsOf } from '@quayside/contract/values/secret-paths'
import { readYamlValue, YamlRefused } from '@quayside/contract/values/yaml-document'
import { type ReactNode, useMemo, useState } from 'react'
import { LazyDiff } from '../../../ui/lazy-diff.tsx'
import { ViewToggle } from '../../../ui/view-toggle.tsx'
import { texts } from '../texts.ts'
import styles from './diff.module.css'

export interface Against {
  /** The chart's own values. */
  defaults: string
  /** What the app is deployed with; null before its first deployment. */
  deployed: string | null
}

interface Props {
  yaml: string
  schema: unknown
  against: Against
  /** The editor, shown while nothing is compared. */
  children: ReactNode
}

type With = 'none' | 'defaults' | 'deployed'

const t = texts.diff

/** The YAML view, or how its text differs from the chart's own values or from what is deployed. */
export function ComparedYaml({ yaml, schema, against: { defaults, deployed }, children }: Props) {
  const [view, setView] = useState<With>('none')
  const views = [
    { key: 'none', title: t.none },
    { key: 'defaults', title: t.defaults },
    ...(deployed === null ? [] : [{ key: 'deployed' as const, title: t.deployed }]),
  ] as const
  return (
    <div className={styles.changes}>
      <div className={styles.against}>
        <span>{t.compareWith}</span>
        <ViewToggle<With> label={t.compareWith} views={views} value={view} onChange={setView} />
      </div>
      {view === 'none' ? (
        children
      ) : (
        <Compared
          yaml={yaml}
          schema={schema}
          defaults={defaults}
          other={view === 'deployed' && deployed !== null ? deployed : defaults}
          name={view === 'deployed' ? t.deployed : t.defaults}
        />
      )}
    </div>
  )
}

interface Sides {
  yaml: string
  schema: unknown
  defaults: string
  other: string
  name: string
}

function Compared({ name, ...sides }: Sides) {
  const { yaml, schema, defaults, other } = sides
  const [before, after] = useMemo(() => masked({ yaml, schema, defaults, other }), [yaml, schema, defaults, other])
  return (
    <div className={styles.compared}>
      <LazyDiff label={`${name} → ${t.here}`} before={before} after={after} names={[name, t.here]} maxHeight="60vh" />
    </div>
  )
}

/** A secret that was just typed is not shown here either. */
function masked({ other, yaml, schema, defaults }: Omit<Sides, 'name'>): [string, string] {
  try {
    const paths = [...secretPathsOf(other, schema), ...secretPathsOf(yaml)]
    const old = readYamlValue(other)
    const isSame = (path: readonly (string | number)[], value: unknown) =>
      value === keptSecret || sameValue(value, valueAt(old, path))
    const markOf: MarkOf = (path, value) => (isSame(path, value) ? keptSecret : `${keptSecret} (changed)`)
    return [maskDocument(other, paths, undefined, [defaults]), maskDocument(yaml, paths, markOf, [defaults])]
  } catch (error) {
    // What is no YAML at the moment is compared as it stands.
    if (error instanceof YamlRefused) return [other, yaml]
    throw error
  }
}
