import type { SpaceMember, Way } from '@quayside/contract/permissions/endpoints'
import { type Scope, scopes } from '@quayside/contract/permissions/scopes'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { useMembers } from '../../../api/permissions/permissions.ts'
import { listed, scopeWords } from '../../../api/permissions/scope-words.ts'
import { actorName } from '../../../lib/actor-name.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { matchesAny } from '../../../ui/forms/matches-any.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { Avatar } from '../../../ui/marks/avatar.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { RemainingTime } from '../../../ui/text/remaining-time.tsx'
import { useRightsEntry } from './use-rights-entry.ts'
import styles from './who-can.module.css'
import { roleOfWay, throughWords } from './words.ts'

interface Props {
  space: Space
  search: string
  scope: Scope | undefined
  onClear: () => void
}

/** Everybody who may do something here, with what, and by which ways they come to it. */
export function WhoCan({ space, search, scope, onClear }: Props) {
  const members = useMembers(space.id, true)
  const rightsEntry = useRightsEntry(space)
  const rows = members.data?.data.filter(
    (member) =>
      (scope === undefined || member.scopes.includes(scope)) &&
      matchesAny([member.person.name, member.person.username], search),
  )
  return (
    <>
      <DataTable
        sorts="all rows are here"
        label="Who can do what here"
        columns={columnsFor(scope)}
        rows={rows}
        rowKey={({ person }) => person.id}
        rowName={({ person }) => person.name}
        rowMenu={({ person: { id, name } }) => [rightsEntry({ id, name })]}
        error={members.error}
        onRetry={() => void members.refetch()}
        empty={
          search === '' && scope === undefined ? (
            <EmptyState title="Nobody has access here" />
          ) : (
            <EmptyState
              title="Nobody matches"
              text={scope === undefined ? undefined : `Nobody who matches the search can ${scopeWords[scope]} here.`}
              action={<Button onClick={onClear}>Clear search and filters</Button>}
            />
          )
        }
      />
      {members.data?.isCut === true && (
        <p className={styles.cut}>
          <bdi>Only the first {members.data.data.length} people are shown. Search to find others.</bdi>
        </p>
      )}
    </>
  )
}

function columnsFor(scope: Scope | undefined): readonly Column<SpaceMember>[] {
  return [
    {
      key: 'person',
      title: 'Person',
      sortBy: ({ person }) => person.name,
      cell: ({ person }) => (
        <NameCell
          mark={<Avatar name={person.name} round />}
          below={person.username === person.name ? undefined : person.username}
        >
          {actorName(person.name)}
        </NameCell>
      ),
    },
    {
      key: 'can',
      title: 'Can',
      long: true,
      sortBy: ({ scopes: held }) => -held.length,
      cell: ({ scopes: held }) => (
        <bdi className={styles.can}>{listed(ordered(held).map((one) => scopeWords[one]))}</bdi>
      ),
    },
    {
      key: 'ways',
      title: scope === undefined ? 'By' : `By what they can ${scopeWords[scope]}`,
      long: true,
      cell: ({ ways }) => (
        <ul className={styles.ways}>
          {together(scope === undefined ? ways : ways.filter((way) => way.scopes.includes(scope))).map((way) => (
            <WayLine key={`${way.gives} ${way.through} ${way.expiresAt}`} way={way} />
          ))}
        </ul>
      ),
    },
  ]
}

const ordered = (held: readonly Scope[]) => scopes.filter((scope) => held.includes(scope))

interface ShownWay {
  gives: string
  through: string
  expiresAt: string | null
}

/** Ways that read alike are one line: several roles of the tenant by the same group, for instance. */
function together(ways: readonly Way[]): ShownWay[] {
  const shown = new Map<string, ShownWay>()
  for (const way of ways) {
    const gives = roleOfWay(way) ?? 'Tenant role'
    const through = roleOfWay(way) === undefined ? tenantWords(way) : throughWords(way)
    const line = { gives, through, expiresAt: way.expiresAt }
    shown.set(JSON.stringify(line), line)
  }
  return [...shown.values()]
}

/** The realm role or group that brings a role of the tenant, not the role itself: people know the former. */
function tenantWords({ steps }: Way): string {
  const between = steps.slice(1, -1)
  const named = between.length > 0 ? between : steps.slice(1)
  return named.map(({ kind, name }) => `${kind} ${name}`).join(', ')
}

function WayLine({ way: { gives, through, expiresAt } }: { way: ShownWay }) {
  return (
    <li>
      <bdi>
        <span className={styles.gives}>{gives}</span> <span className={styles.through}>{through}</span>{' '}
        {expiresAt !== null && <RemainingTime until={expiresAt} inline />}
      </bdi>
    </li>
  )
}
