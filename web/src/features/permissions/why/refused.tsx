import { statusMessage } from '@quayside/contract/http/errors'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useExplanation } from '../../../api/permissions/access-requests.ts'
import type { Question } from '../../../api/permissions/why.tsx'
import { useWhy } from '../../../api/permissions/why.tsx'
import { isGone } from '../../../lib/api/api-error.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { Button, buttonClass } from '../../../ui/actions/button.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { CannotSee } from './cannot-see.tsx'
import styles from './refused.module.css'
import { ExplanationLines, Waiting } from './why-answer.tsx'
import { explainedOf } from './why-host.tsx'

interface Props {
  /** The right that the page needs; undefined when it is not known. */
  question: Extract<Question, { ask: 'scope' | 'role' }> | undefined
  /** A page about something that its own permission list opens, and no role or scope. */
  isShared?: boolean
  /** The page's address; by default the one that is shown. */
  address?: string
  /** Opens the page again: rights may be others by now. */
  onRetry?: () => void
  /** Further ways on. */
  actions?: ReactNode
}

/** In place of a page that is closed: which way leads to it, what is missing, who may grant it, and how to ask. */
export function Refused({ question, isShared = false, address, onRetry, actions }: Props) {
  const { me } = usePortal()
  const { open } = useWhy()
  const explained = useExplanation(question && explainedOf(question))
  const unseen = isShared || isGone(explained.error)
  const mayAsk = explained.data?.mayRequest === true && explained.data.openRequestId === null
  const title = unseen ? 'There is nothing here that you can see' : 'You do not have access to this page'
  usePageTitle(title)
  return (
    <section className={styles.page} aria-labelledby="refused-title">
      <IconLock size={28} stroke={1.5} aria-hidden className={styles.sign} />
      <h1 id="refused-title" className={styles.title}>
        {title}
      </h1>
      {unseen && (
        <p className={styles.text} role="alert">
          <bdi>{statusMessage(404)}</bdi> · <bdi>Status code: 404</bdi>
        </p>
      )}
      <p className={styles.text}>
        <bdi>
          You are signed in as <bdi>{me().username}</bdi>.
          {question === undefined &&
            !isShared &&
            ' An administrator of your tenant can give you the role that this page needs.'}
        </bdi>
      </p>
      {isShared && (
        <div className={styles.told}>
          <CannotSee address={address} isShared />
        </div>
      )}
      {question !== undefined && (
        <div className={styles.told} aria-busy={explained.isPending}>
          {explained.isPending && [260, 320, 200].map((width) => <Skeleton key={width} width={width} height={16} />)}
          {unseen && <CannotSee address={address} />}
          {!unseen && explained.error !== null && (
            <ErrorPanel error={explained.error} name="Explanation" onRetry={() => void explained.refetch()} />
          )}
          {explained.data !== undefined && (
            <>
              <ExplanationLines answer={explained.data} />
              <Waiting answer={explained.data} />
            </>
          )}
        </div>
      )}
      <div className={styles.actions}>
        <Link to="/home" className={buttonClass(mayAsk ? 'default' : 'primary')}>
          Back to Home
        </Link>
        {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
        {actions}
        {mayAsk && question !== undefined && (
          <Button look="primary" aria-haspopup="dialog" onClick={() => open({ ...question, asking: true })}>
            Ask for access
          </Button>
        )}
      </div>
    </section>
  )
}
