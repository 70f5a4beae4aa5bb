import type { Explanation } from '@quayside/contract/permissions/explain'
import type { NamedPrincipal } from '@quayside/contract/permissions/permission-entry'
import { type Scope, scopeTexts } from '@quayside/contract/permissions/scopes'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { type ReactNode, useState } from 'react'
import { type Explained, useExplanation, useWithdraw } from '../../../api/permissions/access-requests.ts'
import type { Other } from '../../../api/permissions/why.tsx'
import { isGone } from '../../../lib/api/api-error.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import type { Begin } from '../members/permission-dialog.tsx'
import { AskForm, type Wanted } from '../requests/ask-form.tsx'
import { CannotSee } from './cannot-see.tsx'
import { WayList } from './way-list.tsx'
import styles from './why-answer.module.css'
import { Names, RightLine } from './why-lines.tsx'

interface Props {
  asked: Explained
  user: Other | undefined
  /** Completes "Why can't I …?". */
  purpose: string
  /** The answer is known, and the form to ask for access is wanted at once. */
  isAsking: boolean
  onBack: (() => void) | undefined
  onClose: () => void
  onAskFor: (wanted: Wanted) => void
  onGive: (spaceId: string, begin: Begin) => void
}

/** The way to a right: what the person has, what is missing, who holds it, who may grant it, and the next step. */
export function WhyAnswer({ asked, user, purpose, isAsking, onBack, onClose, onAskFor, onGive }: Props) {
  const explained = useExplanation(asked)
  const buttons = (more?: ReactNode) => (
    <div className={styles.buttons}>
      {onBack !== undefined && (
        <Button look="quiet" icon={IconArrowLeft} onClick={onBack}>
          Back
        </Button>
      )}
      <span className={styles.gap} />
      <Button onClick={onClose}>Close</Button>
      {more}
    </div>
  )
  if (isGone(explained.error))
    return (
      <div className={styles.answer}>
        <CannotSee />
        {buttons()}
      </div>
    )
  if (explained.error !== null)
    return (
      <div className={styles.answer}>
        <ErrorPanel error={explained.error} name="Explanation" onRetry={() => void explained.refetch()} />
        {buttons()}
      </div>
    )
  if (explained.data === undefined)
    return (
      <div className={styles.answer} aria-busy="true">
        {[280, 340, 220].map((width) => (
          <Skeleton key={width} width={width} height={16} />
        ))}
        {buttons()}
      </div>
    )
  const answer = explained.data
  const said = (
    <div className={styles.answer}>
      <ExplanationLines answer={answer} who={user?.name} />
      <Waiting answer={answer} />
      {buttons(<NextStep {...{ answer, user, onAskFor, onGive }} />)}
    </div>
  )
  return isAsking ? <AskAtOnce {...{ answer, purpose, onBack, onClose, said }} /> : said
}

type AtOnce = Pick<Props, 'purpose' | 'onBack' | 'onClose'> & { answer: Explanation; said: ReactNode }

/** The form for what could be asked for when it was opened: once it is sent, the answer says that nothing more can. */
function AskAtOnce({ answer, said, ...rest }: AtOnce) {
  const [wanted] = useState(() => wantedOf(answer))
  return wanted === undefined ? said : <AskForm wanted={wanted} {...rest} />
}

/** The lines of the explanation, for the dialog and for a refused page alike. */
export function ExplanationLines({ answer, who }: { answer: Explanation; who?: string }) {
  const { allowed, needs, ways, space, spaceRoles, tenantRoles, grantors } = answer
  const subject = who ?? 'You'
  const words = Object.hasOwn(scopeTexts, needs) ? scopeTexts[needs as Scope] : undefined
  const need = (
    <RightLine held={allowed}>
      {allowed ? `${subject} ${who === undefined ? 'hold' : 'holds'} ` : 'This needs '}
      <code>{needs}</code>
      {words !== undefined && <span className={styles.words}> {words}</span>}
      {!allowed && (spaceRoles.length > 0 || tenantRoles.length > 0) && (
        <span className={styles.held}>
          Held by <Names names={spaceRoles.map(({ name }) => name)} />
          {spaceRoles.length > 0 && ' in this space'}
          {spaceRoles.length > 0 && tenantRoles.length > 0 && ', and everywhere by '}
          <Names names={tenantRoles} code />
        </span>
      )}
    </RightLine>
  )
  return (
    <>
      <ul className={styles.lines}>
        {space === null && need}
        <WayList ways={ways} who={who} space={space?.displayName} />
        {space !== null && need}
      </ul>
      {!allowed && <Grantors grantors={grantors} />}
    </>
  )
}

function Grantors({ grantors }: { grantors: readonly NamedPrincipal[] }) {
  const there = grantors.filter(({ isGone: gone }) => !gone)
  return (
    <p className={styles.grantors}>
      <bdi>
        {there.length === 0 ? (
          'Nobody in this tenant can grant it at the moment. Ask an administrator.'
        ) : (
          <>
            It can be granted by <Names names={there.map(grantorName)} />.
          </>
        )}
      </bdi>
    </p>
  )
}

const grantorName = ({ type, name }: NamedPrincipal) =>
  ({ user: name, group: `people of ${name}`, role: `people with the role ${name}` })[type]

/** A request that waits already. */
export function Waiting({ answer }: { answer: Explanation }) {
  const withdraw = useWithdraw()
  const { openRequestId } = answer
  if (openRequestId === null || answer.allowed) return null
  return (
    <div className={styles.waiting} role="status">
      <span>You have asked for a role here. Your request is waiting for an answer.</span>
      <Button small busy={withdraw.isPending} onClick={() => withdraw.mutate(openRequestId)}>
        Withdraw
      </Button>
      {withdraw.error !== null && <ErrorPanel error={withdraw.error} name="Withdraw request" />}
    </div>
  )
}

type NextProps = Pick<Props, 'user' | 'onAskFor' | 'onGive'> & { answer: Explanation }

function NextStep({ answer, user, onAskFor, onGive }: NextProps) {
  const { space, spaceRoles, allowed, openRequestId, person } = answer
  if (allowed) return null
  if (user !== undefined) {
    if (space === null) return null
    const role = spaceRoles[0]
    if (role === undefined) return null
    const people: Begin['people'] = [{ type: 'user', id: person.id, name: person.name, detail: null, isGone: false }]
    return (
      <Button look="primary" onClick={() => onGive(space.id, { people, role: role.id })}>
        Make {user.name} a {role.name}
      </Button>
    )
  }
  const wanted = wantedOf(answer)
  if (wanted === undefined || openRequestId !== null) return null
  return (
    <Button look="primary" onClick={() => onAskFor(wanted)}>
      Ask for access
    </Button>
  )
}

/** The roles that somebody can ask for; undefined where nobody could answer. */
function wantedOf({
  space,
  spaceRoles,
  mayRequest,
  tenantRolesToAskFor: tenantRoles,
}: Explanation): Wanted | undefined {
  if (!mayRequest) return undefined
  if (tenantRoles.length > 0) return { tenantRoles }
  return space === null ? undefined : { spaceId: space.id, roles: spaceRoles }
}
