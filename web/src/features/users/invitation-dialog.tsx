import { linkHours } from '@quayside/contract/mail/limits'
import type { UserDetail } from '@quayside/contract/users/endpoints'
import type { LinkAction } from '@quayside/contract/users/rules'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useMakeLink } from '../../api/realms/mail.ts'
import { useMailActions } from '../../api/users/user-credentials.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { fullName } from './full-name.ts'
import { MadeLink } from './link-dialog.tsx'
import styles from './users.module.css'

const actions: LinkAction[] = ['UPDATE_PASSWORD']

/** Invites somebody who was just made: they choose their password themselves. */
export function InvitationDialog({ user, way }: { user: UserDetail; way: 'mail' | 'link' }) {
  const navigate = useNavigate()
  const mail = useMailActions(user.id)
  const link = useMakeLink()
  const sent = way === 'mail' ? mail : link
  const begin = () =>
    way === 'mail' ? mail.mutate(actions) : link.mutate({ id: user.id, actions, hours: linkHours.usual })
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    begin()
  })
  const open = () => void navigate({ to: '/users/$userId', params: { userId: user.id } })
  const hasFailed = sent.error !== null
  return (
    <FormDialog
      title={`Invite ${fullName(user)}`}
      submitLabel={hasFailed ? 'Try again' : 'To the user'}
      busy={sent.isPending}
      error={sent.error}
      errorName="Invitation"
      onClose={open}
      onSubmit={() => (hasFailed ? begin() : open())}
    >
      {sent.isPending && <Loading />}
      {hasFailed && (
        <p className={styles.text}>
          <bdi>The user was made, but not invited.</bdi>
        </p>
      )}
      {mail.isSuccess && (
        <p className={styles.text}>
          <bdi>
            The invitation goes to <bdi>{user.email}</bdi>. Without a mail server it waits in the outbox (Login
            Settings, E-mail).
          </bdi>
        </p>
      )}
      {link.data && <MadeLink {...link.data} />}
    </FormDialog>
  )
}
