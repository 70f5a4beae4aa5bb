import { scopes, scopeTexts } from '@quayside/contract/permissions/scopes'
import { useExplanation } from '../../../api/permissions/access-requests.ts'
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

/** Everything that somebody may and may not do in a space, with the reason a click away. */
export function AllRights({ question, onAsk, onClose }: Props) {
  const { place, id, user, name } = question
  // The ways are the same for each scope: one question tells all of them.
  const explained = useExplanation({ scope: 'space.view', place, id, ...(user && { user: user.id }) })
  const ways = explained.data?.ways
  return (
    <div className={styles.answer}>
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
            {scopes.map((scope) => {
              const held = ways.some((way) => way.scopes.includes(scope))
              return (
                <RightLine
                  key={scope}
                  held={held}
                  rows
                  action={
                    !held && (
                      <Button
                        small
                        look="quiet"
                        aria-label={`Why not: ${scopeTexts[scope]}`}
                        onClick={() => onAsk({ ask: 'scope', scope, place, id, deed: scopeWords[scope], user })}
                      >
                        Why not
                      </Button>
                    )
                  }
                >
                  {scopeTexts[scope]}
                </RightLine>
              )
            })}
          </ul>
        </>
      )}
      <div className={styles.buttons}>
        <span className={styles.gap} />
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  )
}
