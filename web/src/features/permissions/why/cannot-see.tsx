import { scopesEverywhere } from '@quayside/contract/permissions/scopes'
import { standingOf } from '../../../api/permissions/my-scopes.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { CopyableText } from '../members/copyable-text.tsx'
import styles from './why-answer.module.css'
import { RightLine } from './why-lines.tsx'

interface Props {
  address?: string
  /** Its own permission list lets people in, and not that of a space. */
  isShared?: boolean
}

/** The page for an id that is unknown or not visible; only people who see every space are told that it is unknown. */
export function CannotSee({ address = window.location.href, isShared = false }: Props) {
  const { me } = usePortal()
  const { username, firstName, lastName } = me()
  const seesAll = !isShared && scopesEverywhere(standingOf(me()).roles).has('space.view')
  const name = `${firstName} ${lastName}`.trim() || username
  if (seesAll)
    return (
      <ul className={styles.lines}>
        <RightLine held={false}>
          It does not exist
          <span className={styles.held}>The address may be mistyped, or what it showed has been deleted.</span>
        </RightLine>
      </ul>
    )
  return (
    <>
      <ul className={styles.lines}>
        <RightLine held={false}>
          It does not exist, or{' '}
          {isShared ? 'nobody has shared it with you' : 'you are not a member of the space that it is in'}
          <span className={styles.held}>The portal does not tell which.</span>
        </RightLine>
      </ul>
      <p className={styles.hint}>
        <bdi>
          {isShared ? 'Whoever manages it can share it with you.' : 'A manager of that space can add you as a member.'}{' '}
          Send them this message:
        </bdi>
      </p>
      <CopyableText
        label="Copy the message"
        text={
          isShared
            ? `Please share ${address} with ${name} (${username})`
            : `Please add ${name} (${username}) to the members of the space of ${address}`
        }
      />
    </>
  )
}
