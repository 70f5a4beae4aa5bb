import type { CatalogVersionDetail } from '@quayside/contract/catalog/endpoints'
import type { AppMetadata } from '@quayside/contract/deployments/deploy-data'
import { comparedDefaults } from '@quayside/values/secrets/masked-sides'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { versionQuery } from '../../../api/catalog/items.ts'
import { previewQuery } from '../../../api/deployments/deployments.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { ViewToggle } from '../../../ui/lists/view-toggle.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { lazily } from '../../../ui/states/lazily.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { Objects } from '../../../ui/text/changes.tsx'
import { LazyDiff } from '../../../ui/text/lazy-diff.tsx'
import { texts } from '../texts.ts'
import styles from './steps.module.css'
import { changedFacts } from './version-facts.ts'

const Markdown = lazily(() => import('../../../ui/text/markdown.tsx').then((module) => module.Markdown), <Loading />)

interface Props {
  installedId: string
  versionId: string
  appMetadata: AppMetadata
}

const t = texts.selectVersion
const views = [
  { key: 'readme', title: t.readme },
  { key: 'defaults', title: t.defaults },
  { key: 'chart', title: t.chart },
  { key: 'objects', title: t.objects },
] as const
type View = (typeof views)[number]['key']

/** A version before it is chosen: its own words, and what is not as in the installed one. */
export function VersionChanges({ installedId, versionId, appMetadata }: Props) {
  const { api } = usePortal()
  const [view, setView] = useState<View>('readme')
  const next = useQuery(versionQuery(api, versionId))
  const isSame = installedId === versionId
  const installed = useQuery({ ...versionQuery(api, installedId), enabled: !isSame })
  if (next.error !== null) return <ErrorPanel error={next.error} name={t.about} onRetry={() => void next.refetch()} />
  if (next.data === undefined) return <Loading card />
  if (isSame) {
    return (
      <>
        <p className={styles.text}>
          <bdi>{t.same}</bdi>
        </p>
        <Readme version={next.data} />
      </>
    )
  }
  return (
    <section className={styles.step} aria-label={t.about}>
      <ViewToggle label={t.about} views={views} value={view} onChange={setView} />
      {view === 'readme' && <Readme version={next.data} />}
      {view === 'objects' && <ChangedObjects versionId={versionId} appMetadata={appMetadata} />}
      {(view === 'defaults' || view === 'chart') &&
        (installed.error !== null ? (
          <p className={styles.text}>
            <bdi>{t.unknown}</bdi>
          </p>
        ) : installed.data === undefined ? (
          <Loading card />
        ) : view === 'defaults' ? (
          <Defaults before={installed.data} after={next.data} />
        ) : (
          <Facts before={installed.data} after={next.data} />
        ))}
    </section>
  )
}

function Readme({ version }: { version: CatalogVersionDetail }) {
  if (version.readme.trim() === '')
    return (
      <p className={styles.text}>
        <bdi>{version.description || t.noReadme}</bdi>
      </p>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={styles.readme} aria-label={`${t.readme} ${version.version}`} tabIndex={0}>
      <Markdown text={version.readme} />
    </section>
  )
}

/** Secrets of a chart are secrets: only that they are other ones is told. */
function Defaults({ before, after }: { before: CatalogVersionDetail; after: CatalogVersionDetail }) {
  const sides = useMemo(() => comparedDefaults(before, after), [before, after])
  if (sides === undefined)
    return (
      <p className={styles.text}>
        <bdi>{t.unreadable}</bdi>
      </p>
    )
  return <LazyDiff label={t.defaults} {...sides} names={[before.version, after.version]} />
}

function Facts({ before, after }: { before: CatalogVersionDetail; after: CatalogVersionDetail }) {
  const facts = changedFacts(before, after)
  if (facts.length === 0)
    return (
      <p className={styles.text}>
        <bdi>{t.nothing}</bdi>
      </p>
    )
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t.fact}</th>
          <th scope="col">
            <bdi className="mono">{before.version}</bdi>
          </th>
          <th scope="col">
            <bdi className="mono">{after.version}</bdi>
          </th>
        </tr>
      </thead>
      <tbody>
        {facts.map((fact) => (
          <tr key={fact.name}>
            <th scope="row">{fact.name}</th>
            <td>
              <bdi>{fact.before}</bdi>
            </td>
            <td>
              <bdi>{fact.after}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ChangedObjects({ versionId, appMetadata }: { versionId: string; appMetadata: AppMetadata }) {
  const { api } = usePortal()
  const diff = useQuery(previewQuery(api, versionId, { appMetadata, yaml: null }))
  if (diff.error !== null) return <ErrorPanel error={diff.error} name={t.objects} onRetry={() => void diff.refetch()} />
  if (diff.data === undefined) return <Loading card />
  return (
    <>
      <p className={styles.text}>
        <bdi>{t.objectsHint}</bdi>
      </p>
      <Objects diff={diff.data} names={[texts.diff.deployed, texts.diff.upgraded]} />
    </>
  )
}
