import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { peopleQuery } from '../../../api/groups.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { TagList } from '../../../ui/lists/tag.tsx'
import { ErrorIndicator } from '../../../ui/states/error-indicator.tsx'
import type { ChosenGroup } from '../deploy-data.ts'
import { texts } from '../texts.ts'
import { ChangedValues } from '../values/diff/changed-values.tsx'
import { type GiveUp, GiveUpChoice } from './give-up-choice.tsx'
import styles from './steps.module.css'

interface SummaryFacts {
  action: 'Deploy' | 'Upgrade'
  appName: string
  tags: readonly string[]
  version: string
  cluster: string
  space: string
  groups: readonly ChosenGroup[]
  /** Tells whether this wizard has an Access Management step. */
  hasAccess: boolean
  giveUp: GiveUp
  /** The values to deploy; left out by wizards without values. */
  values?: { yaml: string; schema: unknown; defaults: string; deployed?: string | null | undefined }
}

const t = texts.summary

/** Everything that was chosen, before it starts. */
export function Summary({ facts }: { facts: SummaryFacts }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={styles.step}>
      <div>
        <h3 id={heading}>{t.heading}</h3>
        <p className={styles.text}>{facts.action === 'Deploy' ? t.install : t.upgrade}</p>
      </div>
      <div className={styles.tables}>
        <table className={styles.table}>
          <caption>{t.general}</caption>
          <tbody>
            <Fact name={t.appName}>
              <bdi>{facts.appName}</bdi>
            </Fact>
            <Fact name={t.tags}>{facts.tags.length > 0 ? <TagList tags={facts.tags} show={6} /> : '–'}</Fact>
            <Fact name={t.version}>
              <bdi className="mono">{facts.version}</bdi>
            </Fact>
            <Fact name={t.cluster}>
              <bdi>{facts.cluster}</bdi>
            </Fact>
            <Fact name={t.space}>
              <bdi>{facts.space}</bdi>
            </Fact>
            {facts.values !== undefined && (
              <Fact name={t.values}>
                <Values {...facts.values} />
              </Fact>
            )}
          </tbody>
        </table>
        {facts.hasAccess && <AccessTable groups={facts.groups} />}
      </div>
      <GiveUpChoice giveUp={facts.giveUp} />
    </section>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{children}</td>
    </tr>
  )
}

function Values({ yaml, schema, defaults, deployed }: NonNullable<SummaryFacts['values']>) {
  const known = { after: yaml, schema, defaults }
  return (
    <>
      {deployed != null && <ChangedValues {...known} before={deployed} than="deployed" />}
      <ChangedValues {...known} before={defaults} than="defaults" />
    </>
  )
}

function AccessTable({ groups }: { groups: readonly ChosenGroup[] }) {
  return (
    <table className={styles.table}>
      <caption>{t.access}</caption>
      <thead>
        <tr>
          <th scope="col">{t.group}</th>
          <th scope="col">{t.role}</th>
        </tr>
      </thead>
      <tbody>
        {groups.length === 0 && (
          <tr>
            <td colSpan={2}>
              <bdi>{t.nobody}</bdi>
            </td>
          </tr>
        )}
        {groups.map((group) => (
          <tr key={group.id}>
            <td>
              <bdi>{group.name}</bdi>
            </td>
            <td>
              <bdi>{group.resourceRoles.map(({ name }) => name).join(', ')}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
      {groups.length > 0 && (
        <tfoot>
          <tr>
            <td colSpan={2}>
              <Reach groups={groups} />
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  )
}

/** How many people all of this lets in, each counted once. */
function Reach({ groups }: { groups: readonly ChosenGroup[] }) {
  const { api } = usePortal()
  const { data, error } = useQuery(
    peopleQuery(
      api,
      groups.map(({ id }) => id),
    ),
  )
  if (error !== null) return <ErrorIndicator error={error} />
  if (data === undefined) return t.counting
  return (
    <strong>
      <bdi>{data === 1 ? t.onePerson : `${data} ${t.people}`}</bdi>
    </strong>
  )
}
