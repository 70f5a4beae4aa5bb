import { scopeWords } from '../../../api/permissions/scope-words.ts'
import type { Question } from '../../../api/permissions/why.tsx'
import { useSpaceNames } from '../../../api/spaces.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import styles from './why-answer.module.css'
import { RightLine } from './why-lines.tsx'

type Anywhere = Extract<Question, { ask: 'somewhere' }>

interface Props {
  question: Anywhere
  onAsk: (question: Question) => void
  onClose: () => void
}

/** A right in any one space is enough: which of the spaces that the person sees shall it be? */
export function Somewhere({ question, onAsk, onClose }: Props) {
  const { scope, purpose } = question
  const spaces = useSpaceNames()
  return (
    <div className={styles.answer}>
      <ul className={styles.lines}>
        <RightLine held={false}>
          This needs <code>{scope}</code> in at least one space
          <span className={styles.held}>There is no space in which you can {scopeWords[scope]}.</span>
        </RightLine>
      </ul>
      {spaces.isPending && <Loading />}
      {spaces.error !== null && <ErrorPanel error={spaces.error} name="Spaces" onRetry={() => void spaces.refetch()} />}
      {spaces.data?.length === 0 && (
        <p className={styles.hint}>
          <bdi>
            You are not a member of any space yet. Somebody who manages a space can add you, or an administrator of the
            tenant can give you a role that reaches every space.
          </bdi>
        </p>
      )}
      {spaces.data !== undefined && spaces.data.length > 0 && (
        <>
          <p className={styles.hint}>
            <bdi>Choose a space to see what is missing there and who can grant it.</bdi>
          </p>
          <ul className={styles.rights}>
            {spaces.data.map(({ id, displayName }) => (
              <li key={id} className={styles.right}>
                <bdi className={styles.text}>{displayName}</bdi>
                <Button
                  small
                  aria-label={`Why not in ${displayName}`}
                  onClick={() =>
                    onAsk({ ask: 'scope', scope, place: 'space', id, purpose: `${purpose} in ${displayName}` })
                  }
                >
                  Why not
                </Button>
              </li>
            ))}
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
