import { scopes, scopeTexts } from '@quayside/contract/permissions/scopes'
import { controls } from '@quayside/contract/permissions/screens'
import { useExplanation } from '../../../api/permissions/access-requests.ts'
import { tenantControlsOn, useGuard } from '../../../api/permissions/my-scopes.ts'
import { scopeWords } from '../../../api/permissions/scope-words.ts'
import type { Question } from '../../../api/permissions/why.tsx'
import { isGone } from '../../../lib/api/api-error.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { CannotSee } from '../why/cannot-see.tsx'
import { WayList } from '../why/way-list.tsx'
import styles from '../why/why-answer.module.css'
import { RightLine } from '../why/why-lines.tsx'

type All = Extract<Question, { ask: 'all' }>

interface Props {
  question: All
  onAsk: (question: Question) => void
  onClose: () => void
}

/** Everything that somebody may and may not do in a space and on its page, with the reason a click away. */
export function AllRights({ question, onAsk, onClose }: Props) {
  return (
    <div className={styles.answer}>
      {question.place !== undefined && <SpaceRights question={question} onAsk={onAsk} />}
      {/* Roles of the tenant are explained to their holder alone. */}
      {question.user === undefined && <TenantRights page={question.page} onAsk={onAsk} />}
      <div className={styles.buttons}>
        <span className={styles.gap} />
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  )
}

type InSpace = Extract<All, { place: string }>

function SpaceRights({ question, onAsk }: { question: InSpace; onAsk: Props['onAsk'] }) {
  const { place, id, user, name } = question
  // The ways are the same for each scope: one question tells all of them.
  const explained = useExplanation({ scope: 'space.view', place, id, ...(user && { user: user.id }) })
  const ways = explained.data?.ways
  return (
    <>
      {isGone(explained.error) ? (
        <CannotSee />
      ) : (
        explained.error !== null && (
          <ErrorPanel error={explained.error} name="Rights" onRetry={() => void explained.refetch()} />
        )
      )}
      {explained.isPending && scopes.map((scope) => <Skeleton key={scope} width={320} height={16} />)}
      {ways !== undefined && (
        <>
          <ul className={styles.lines}>
            <WayList ways={ways} who={user?.name} space={name} />
          </ul>
          <ul className={styles.rights}>
            {scopes.map((scope) => (
              <Right
                key={scope}
                name={scopeTexts[scope]}
                held={ways.some((way) => way.scopes.includes(scope))}
                onWhy={() => onAsk({ ask: 'scope', scope, place, id, purpose: scopeWords[scope], user })}
              />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** Those that the page hides are among them. */
function TenantRights({ page, onAsk }: { page: string; onAsk: Props['onAsk'] }) {
  const guard = useGuard()
  const shown = tenantControlsOn(page)
  if (shown.length === 0) return null
  return (
    <section aria-label="By roles of the tenant">
      <h3 className={styles.part}>By roles of the tenant</h3>
      <ul className={styles.rights}>
        {shown.map((id) => {
          const { name } = controls[id]
          const { allowed, why } = guard(id, `use “${name}”`)
          return <Right key={id} name={name} held={allowed === true} onWhy={() => onAsk(why)} />
        })}
      </ul>
    </section>
  )
}

function Right({ name, held, onWhy }: { name: string; held: boolean; onWhy: () => void }) {
  const why = (
    <Button small look="quiet" aria-label={`Why not: ${name}`} onClick={onWhy}>
      Why not
    </Button>
  )
  return (
    <RightLine held={held} rows action={!held && why}>
      {name}
    </RightLine>
  )
}
