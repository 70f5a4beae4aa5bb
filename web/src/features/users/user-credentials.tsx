import type { Credential } from '@quayside/contract/users/credentials'
import type { UserDetail } from '@quayside/contract/users/endpoints'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useCredentials, useDeleteCredential } from '../../api/users/user-credentials.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { fullName } from './full-name.ts'
import { LinkDialog } from './link-dialog.tsx'
import { MailDialog } from './mail-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { UserLinks } from './user-links.tsx'
import styles from './users.module.css'

const typeWords: Readonly<Record<string, string>> = {
  password: 'Password',
  otp: 'Second factor',
  webauthn: 'Security key',
  'webauthn-passwordless': 'Passkey',
}
const wordOf = ({ type }: Credential) => typeWords[type] ?? type

const columns: readonly Column<Credential>[] = [
  {
    key: 'type',
    title: 'Credential',
    sortBy: wordOf,
    cell: (credential) => <NameCell below={credential.label ?? undefined}>{wordOf(credential)}</NameCell>,
  },
  {
    key: 'createdAt',
    title: 'Set',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

/** How the user signs in, and the ways to a new password. */
export function UserCredentials({ user }: { user: UserDetail }) {
  const credentials = useCredentials(user.id)
  const remove = useDeleteCredential(user.id)
  const confirm = useConfirm()
  const [open, setOpen] = useState<'password' | 'mail' | 'link'>()
  const name = fullName(user)
  const right = useGuard()('user.credentials', `change how ${name} signs in`)
  const ask = async (credential: Credential) => {
    const isSure = await confirm({
      title: `Remove ${wordOf(credential).toLowerCase()}`,
      message:
        credential.type === 'password'
          ? `${name} cannot sign in until a password is set.`
          : `${name} can sign in without it from now on.`,
      danger: true,
    })
    if (isSure) remove.mutate(credential.id)
  }
  return (
    <section aria-label="Credentials" className={styles.stack}>
      <div className={styles.bar}>
        <GuardedButton {...right} icon={IconMail} onClick={() => setOpen('mail')}>
          Mail a link
        </GuardedButton>
        <GuardedButton {...right} icon={IconLink} onClick={() => setOpen('link')}>
          Copy a link
        </GuardedButton>
        <GuardedButton {...right} look="primary" icon={IconKey} onClick={() => setOpen('password')}>
          Set password
        </GuardedButton>
      </div>
      {remove.error !== null && <ErrorPanel error={remove.error} name="Remove" />}
      <DataTable
        sorts="all rows are here"
        label="Credentials"
        columns={columns}
        rows={credentials.data}
        rowKey={({ id }) => id}
        rowName={wordOf}
        rowMenu={(credential) => [
          { label: 'Remove', icon: IconTrash, danger: true, onSelect: () => void ask(credential), right },
        ]}
        error={credentials.error}
        onRetry={() => void credentials.refetch()}
        empty={<EmptyState icon={IconKey} title="No credentials" text="This user cannot sign in with a password." />}
      />
      <UserLinks user={user} />
      {open === 'password' && <PasswordDialog user={user} onClose={() => setOpen(undefined)} />}
      {open === 'link' && <LinkDialog user={user} onClose={() => setOpen(undefined)} />}
      {open === 'mail' && <MailDialog user={user} onClose={() => setOpen(undefined)} />}
    </section>
  )
}
