import type { Lockout } from '@quayside/contract/users/lockouts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { unlockingsShown, useLockedAddresses, useUnlock, useUnlockings } from '../../api/users/lockouts.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { RemainingTime } from '../../ui/text/remaining-time.tsx'
import styles from './lockouts.module.css'

interface UnlockProps {
  locked: { userId: string } | { address: string }
  name: string
}

function Unlock({ locked, name }: UnlockProps) {
  const unlock = useUnlock()
  const guard = useGuard()
  return (
    <>
      <GuardedButton
        {...guard('users.unlock', `unlock ${name}`)}
        small
        busy={unlock.isPending}
        aria-label={`Unlock ${name}`}
        onClick={() => unlock.mutate(locked)}
      >
        Unlock
      </GuardedButton>
      {unlock.error !== null && <ErrorPanel error={unlock.error} name="Unlock" />}
    </>
  )
}

/** Says that a person is locked out after too many wrong passwords, until when and by whom last, with the way out. */
export function LockedOut({ lockout, name }: { lockout: Lockout; name: string }) {
  return (
    <span className={styles.locked}>
      <StateBadge state="failed" label="Locked out" />
      <span className={styles.words}>
        {lockout.until === null ? 'until somebody unlocks them' : <RemainingTime until={lockout.until} quiet />}
        {lockout.lastAddress !== null && <bdi>last from {lockout.lastAddress}</bdi>}
      </span>
      <Unlock locked={{ userId: lockout.userId }} name={name} />
    </span>
  )
}

/** Addresses that are locked out; nothing while there are none. */
export function LockedAddresses() {
  const addresses = useLockedAddresses()
  if (addresses.error !== null && addresses.data === undefined)
    return <ErrorPanel error={addresses.error} name="Locked addresses" onRetry={() => void addresses.refetch()} />
  if (addresses.data === undefined || addresses.data.length === 0) return null
  return (
    <Panel title="Locked addresses">
      <p className={styles.words}>
        <bdi>Sign-in from these addresses is blocked after too many wrong passwords.</bdi>
      </p>
      <ul className={styles.list} aria-label="Locked addresses">
        {addresses.data.map(({ address, until, failures }) => (
          <li key={address} className={styles.locked}>
            <code>{address}</code>
            <span className={styles.words}>
              <bdi>{failures} wrong passwords</bdi>
              <RemainingTime until={until} quiet />
            </span>
            <Unlock locked={{ address }} name={address} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The newest lines of who let whom in again; nothing while there are none. */
export function Unlockings() {
  const unlockings = useUnlockings()
  if (unlockings.data === undefined || unlockings.data.length === 0) return null
  return (
    <Panel title="Unlocked" aside={unlockings.data.length === unlockingsShown && <bdi>newest {unlockingsShown}</bdi>}>
      <ul className={styles.list} aria-label="Unlocked">
        {unlockings.data.map(({ id, name, by, at }) => (
          <li key={id}>
            <bdi>
              <bdi>{name}</bdi> was unlocked by <bdi>{by}</bdi>
            </bdi>{' '}
            <RelativeTime at={at} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
