import type { Permission } from '@quayside/contract/permissions/permission-entry'
import { scopes } from '@quayside/contract/permissions/scopes'
import type { Space } from '@quayside/contract/spaces/endpoints'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { inSpace, useGuard, useMay } from '../../../api/permissions/my-scopes.ts'
import {
  isRecent,
  useLiveRequests,
  useMyRequests,
  useRequestsToAnswer,
} from '../../../api/permissions/open-requests.ts'
import { listed, scopeWords } from '../../../api/permissions/scope-words.ts'
import { useWhy } from '../../../api/permissions/why.tsx'
import { spaceKey } from '../../../api/spaces.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import layout from '../../../ui/lists/columns.module.css'
import { FilterChip } from '../../../ui/lists/filter-chip.tsx'
import { ViewToggle } from '../../../ui/lists/view-toggle.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { OwnRequestCard, RequestCard } from '../requests/request-card.tsx'
import { WhoCan } from '../why/who-can.tsx'
import { MemberHistory } from './member-history.tsx'
import { AddMembersDialog, ChangeMemberDialog } from './permission-dialog.tsx'
import { PermissionList } from './permission-list.tsx'
import styles from './space-members.module.css'

const views = [
  { key: 'list', title: 'Members' },
  { key: 'who', title: 'Who can do what' },
  { key: 'history', title: 'History' },
] as const
type View = (typeof views)[number]['key']

type Editing = 'add' | Permission | undefined

/** The Members tab of a space: its list, who may do what by which ways, what has happened, and who asks for more. */
export function SpaceMembers({ space }: { space: Space }) {
  const [{ view: wanted, q = '', scope: wantedScope, skip = '0' }, setUrl] = useUrlState()
  const [editing, setEditing] = useState<Editing>()
  useLiveRequests(spaceKey(space.id))
  const right = useGuard()('space.members', `add members to ${space.displayName}`, inSpace(space.id))
  const mayChange = right.allowed === true
  const view: View = (mayChange && views.find(({ key }) => key === wanted)?.key) || 'list'
  const scope = scopes.find((one) => one === wantedScope)
  const add = (
    <GuardedButton look="primary" icon={IconPlus} {...right} onClick={() => setEditing('add')}>
      Add members
    </GuardedButton>
  )
  return (
    <>
      <div className={styles.bar}>
        {mayChange && (
          <ViewToggle
            label="View"
            views={views}
            value={view}
            onChange={(next) => setUrl({ view: next === 'list' ? '' : next, skip: '', scope: '' })}
          />
        )}
        <SearchField
          label={view === 'history' ? 'Name, role' : 'Name, group, role'}
          value={q}
          onChange={(text) => setUrl({ q: text, skip: '' })}
        />
        {view === 'who' && (
          <FilterChip
            label="Can"
            value={scope}
            options={scopes.map((value) => ({ value, label: scopeWords[value] }))}
            onChange={(value) => setUrl({ scope: value })}
          />
        )}
        <span className={styles.add}>{add}</span>
      </div>
      <Beside space={space} mayAnswer={mayChange}>
        {view === 'list' && (
          <PermissionList
            {...{ space, mayChange, add }}
            search={q}
            onChange={setEditing}
            onClearSearch={() => setUrl({ q: '' })}
          />
        )}
        {view === 'who' && <WhoCan {...{ space, scope }} search={q} onClear={() => setUrl({ q: '', scope: '' })} />}
        {view === 'history' && (
          <MemberHistory
            spaceId={space.id}
            search={q}
            skip={Number(skip) || 0}
            onSkip={(next) => setUrl({ skip: next === 0 ? '' : String(next) })}
          />
        )}
      </Beside>
      <Dialogs space={space} editing={editing} onClose={() => setEditing(undefined)} />
    </>
  )
}

function Dialogs({ space, editing, onClose }: { space: Space; editing: Editing; onClose: () => void }) {
  const mayOwn = useMay()('space.owners', space.id) === true
  if (editing === undefined) return null
  const shared = { spaceId: space.id, mayOwn, onClose }
  return editing === 'add' ? <AddMembersDialog {...shared} /> : <ChangeMemberDialog {...shared} entry={editing} />
}

interface BesideProps {
  space: Space
  mayAnswer: boolean
  children: React.ReactNode
}

/** The list, and beside it who asks for what and what the person may do: always both, so that nothing moves. */
function Beside({ space, mayAnswer, children }: BesideProps) {
  return (
    <div className={layout.columns}>
      <div className={styles.main}>{children}</div>
      <div className={layout.stack}>
        {mayAnswer && <Waiting spaceId={space.id} />}
        <OwnStanding space={space} />
      </div>
    </div>
  )
}

function Waiting({ spaceId }: { spaceId: string }) {
  const waiting = useRequestsToAnswer(spaceId)
  const open = waiting.data?.data
  const title =
    open === undefined || open.length === 0 ? 'Requests' : open.length === 1 ? 'One request' : `${open.length} requests`
  return (
    <Panel title={title}>
      {waiting.error !== null && (
        <ErrorPanel error={waiting.error} name="Requests" onRetry={() => void waiting.refetch()} />
      )}
      {waiting.isPending && <Skeleton width={180} />}
      {open?.length === 0 && <p className={styles.quiet}>Nobody is waiting for an answer.</p>}
      {open?.map((request) => (
        <RequestCard key={request.id} request={request} among={open} />
      ))}
    </Panel>
  )
}

/** The person's own rights in the space, and their recent requests. */
function OwnStanding({ space }: { space: Space }) {
  const { open } = useWhy()
  const mine = useMyRequests()
  const own = (mine.data?.data ?? []).filter(
    (request) => request.space?.id === space.id && isRecent(request.answeredAt),
  )
  const held = scopes.filter((scope) => space.scopes.includes(scope))
  return (
    <Panel title="You here">
      <p className={styles.can}>
        <bdi>You can {listed(held.map((scope) => scopeWords[scope]))}.</bdi>
      </p>
      <Button
        small
        icon={IconHelp}
        aria-haspopup="dialog"
        onClick={() =>
          open({ ask: 'all', place: 'space', id: space.id, name: space.displayName, page: 'spaces/$spaceId/overview' })
        }
      >
        What can I do here
      </Button>
      {own.length > 0 && (
        <section className={styles.own} aria-label="You have asked for">
          {own.map((request) => (
            <OwnRequestCard key={request.id} request={request} />
          ))}
        </section>
      )}
    </Panel>
  )
}
