import type { LinkedIdentity } from '@quayside/contract/users/credentials'
import { useLinkedIdentities, useUnlinkIdentity } from '../../api/account.ts'
import { Button } from '../../ui/actions/button.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import styles from './appearance.module.css'

/** Accounts elsewhere by which the person signs in; nothing where there are none. */
export function LinkedIdentities() {
  const links = useLinkedIdentities()
  const unlink = useUnlinkIdentity()
  const confirm = useConfirm()
  if (links.data?.length === 0) return null
  const ask = async ({ id, name }: LinkedIdentity) => {
    const message = `${name} does not sign you in to this account any more. The next sign-in there asks for your password here first.`
    if (await confirm({ title: `Unlink ${name}`, message, danger: true })) unlink.mutate(id)
  }
  return (
    <Panel title="Linked accounts">
      {links.error !== null && (
        <ErrorPanel error={links.error} name="Linked accounts" onRetry={() => void links.refetch()} />
      )}
      <FactList
        facts={(links.data ?? []).map((link) => ({
          name: link.name,
          value: (
            <span className={styles.choice}>
              <bdi>{link.username}</bdi>
              <Button small busy={unlink.isPending && unlink.variables === link.id} onClick={() => void ask(link)}>
                Unlink
              </Button>
            </span>
          ),
        }))}
      />
      {unlink.error !== null && <ErrorPanel error={unlink.error} name="Unlink" />}
    </Panel>
  )
}
