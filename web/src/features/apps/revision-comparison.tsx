import type { App } from '@quayside/contract/apps/endpoints'
import type { Revision } from '@quayside/contract/deployments/endpoints'
import { useId, useState } from 'react'
import { useComparison } from '../../api/deployments/releases.ts'
import { inApp, useGuard } from '../../api/permissions/my-scopes.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { Changes } from '../../ui/text/changes.tsx'
import styles from './revision-comparison.module.css'

const nameOf = ({ revision, installed, version }: Revision) =>
  `Revision ${revision}${installed ? ' (installed)' : ''} · ${version}`

/** The differences between two revisions, in values and in objects; the newest two are chosen at first. */
export function RevisionComparison({ app, revisions }: { app: App; revisions: readonly Revision[] }) {
  const id = useId()
  const [chosen, setChosen] = useState<{ from?: number; to?: number }>({})
  const numbers = new Set(revisions.map(({ revision }) => revision))
  // A revision that Helm has forgotten meanwhile cannot be compared any more.
  const kept = (number: number | undefined) => (number !== undefined && numbers.has(number) ? number : undefined)
  const from = kept(chosen.from) ?? revisions[1]?.revision ?? 0
  const to = kept(chosen.to) ?? revisions[0]?.revision ?? 0
  const diff = useComparison(app.id, from, to)
  const secrets = useGuard()('app.secrets', `see the secrets of ${app.displayName}`, inApp(app))
  const select = (label: string, side: 'from' | 'to', value: number) => (
    <div className={styles.side}>
      <label htmlFor={`${id}-${side}`}>{label}</label>
      <Select
        id={`${id}-${side}`}
        value={value}
        onChange={(event) => setChosen({ ...chosen, [side]: Number(event.target.value) })}
      >
        {revisions.map((one) => (
          <option key={one.revision} value={one.revision}>
            {nameOf(one)}
          </option>
        ))}
      </Select>
    </div>
  )
  return (
    <section className={styles.comparison} aria-label="Compare revisions">
      <h3>Compare revisions</h3>
      <div className={styles.sides}>
        {select('Before', 'from', from)}
        {select('After', 'to', to)}
      </div>
      {secrets.allowed === false && (
        <p className={styles.same}>
          Manifests of Secrets are left out.{' '}
          <GuardedButton {...secrets} small>
            Secrets
          </GuardedButton>
        </p>
      )}
      {from === to ? (
        <p className={styles.same}>Choose two different revisions.</p>
      ) : diff.error !== null ? (
        <ErrorPanel error={diff.error} name="Differences" onRetry={() => void diff.refetch()} />
      ) : diff.data === undefined ? (
        <Loading card />
      ) : (
        <Changes diff={diff.data} names={[`Revision ${from}`, `Revision ${to}`]} />
      )}
    </section>
  )
}
