import { type ReactNode, useMemo, useState } from 'react'
import { ViewToggle } from '../../../../ui/lists/view-toggle.tsx'
import { LazyDiff } from '../../../../ui/text/lazy-diff.tsx'
import { texts } from '../../texts.ts'
import { type ComparedTexts, comparedSides } from './compared-sides.ts'
import styles from './diff.module.css'

export interface Against {
  /** The chart's own values. */
  defaults: string
  /** The values that are deployed; null before the first deployment. */
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

function Compared({ name, yaml, schema, defaults, other }: ComparedTexts & { name: string }) {
  const sides = useMemo(() => comparedSides({ yaml, schema, defaults, other }), [yaml, schema, defaults, other])
  if (sides === undefined)
    return (
      <p className={styles.compared}>
        <bdi>{t.unreadable}</bdi>
      </p>
    )
  const [before, after] = sides
  return (
    <div className={styles.compared}>
      <LazyDiff
        label={`${name} → ${t.here}`}
        before={before}
        after={after}
        names={[name, t.here]}
        maxHeight="calc(60vh - 40px)"
      />
    </div>
  )
}
