import type { Credential } from '@quayside/contract/users/credentials'
import { useAskAtSignIn, useOwnCredentials, useRemovePasskey } from '../../api/account.ts'
import { Button } from '../../ui/actions/button.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './appearance.module.css'

/** Keycloak's word for a key that signs somebody in without a password. */
const passkeyType = 'webauthn-passwordless'

const typeWords: Readonly<Record<string, string>> = {
  password: 'Password',
  otp: 'Second factor',
  webauthn: 'Security key',
  [passkeyType]: 'Passkey',
}

const asks = [
  {
    what: 'resetMyPassword',
    title: 'Change password',
    message: 'You will be signed out everywhere. Sign in with your current password, then choose a new one.',
  },
  {
    what: 'changeEmail',
    title: 'Change e-mail address',
    message: 'You will be signed out everywhere. Sign in, then enter the new address.',
  },
  {
    what: 'setUpSecondFactor',
    title: 'Set up a second factor',
    message: 'You will be signed out everywhere. Sign in, then scan the QR code with your authenticator app.',
  },
  {
    what: 'setUpPasskey',
    title: 'Set up a passkey',
    message:
      'You are signed out everywhere. Sign in, and let this device, or a security key, make a passkey. It signs you in without your password.',
  },
] as const

function Way({ credential, onRemove }: { credential: Credential; onRemove: () => void }) {
  const { type, label, createdAt } = credential
  if (type !== passkeyType) return <RelativeTime at={createdAt} />
  return (
    <span className={styles.choice}>
      <RelativeTime at={createdAt} />
      <Button small onClick={onRemove} aria-label={`Remove ${label ?? 'passkey'}`}>
        Remove
      </Button>
    </span>
  )
}

/** How the person signs in; passwords and codes are typed at the identity server alone. */
export function SignIn() {
  const credentials = useOwnCredentials()
  const ask = useAskAtSignIn()
  const remove = useRemovePasskey()
  const confirm = useConfirm()
  const askToRemove = async ({ id, label }: Credential) => {
    const message = `${label ?? 'This passkey'} does not sign you in any more. Your password does.`
    if (await confirm({ title: 'Remove passkey', message, danger: true })) remove.mutate(id)
  }
  return (
    <Panel title="Sign-in">
      {credentials.error !== null && (
        <ErrorPanel error={credentials.error} name="Sign-in" onRetry={() => void credentials.refetch()} />
      )}
      <FactList
        facts={(credentials.data ?? []).map((credential) => ({
          name: credential.label ?? typeWords[credential.type] ?? credential.type,
          value: <Way credential={credential} onRemove={() => void askToRemove(credential)} />,
        }))}
      />
      {ask.error !== null && <ErrorPanel error={ask.error} name="Sign-in" />}
      {remove.error !== null && <ErrorPanel error={remove.error} name="Remove" />}
      <div className={styles.choice}>
        {asks.map(({ what, title, message }) => (
          <Button
            key={what}
            small
            busy={ask.isPending && ask.variables === what}
            onClick={async () => {
              if (await confirm({ title, message })) ask.mutate(what)
            }}
          >
            {title}
          </Button>
        ))}
      </div>
    </Panel>
  )
}
