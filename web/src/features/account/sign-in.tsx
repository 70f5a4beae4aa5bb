import { useAskAtSignIn, useOwnCredentials } from '../../api/account.ts'
import { Button } from '../../ui/actions/button.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './appearance.module.css'

const typeWords: Readonly<Record<string, string>> = {
  password: 'Password',
  otp: 'Second factor',
  webauthn: 'Security key',
}

const asks = [
  {
    what: 'resetMyPassword',
    title: 'Change password',
    message: 'You will be signed out everywhere. Sign in with your current password, then choose a new one.',
  },
  {
    what: 'setUpSecondFactor',
    title: 'Set up a second factor',
    message: 'You will be signed out everywhere. Sign in, then scan the QR code with your authenticator app.',
  },
] as const

/** How the person signs in; passwords and codes are typed at the identity server alone. */
export function SignIn() {
  const credentials = useOwnCredentials()
  const ask = useAskAtSignIn()
  const confirm = useConfirm()
  return (
    <Panel title="Sign-in">
      {credentials.error !== null && (
        <ErrorPanel error={credentials.error} name="Sign-in" onRetry={() => void credentials.refetch()} />
      )}
      <FactList
        facts={(credentials.data ?? []).map(({ type, label, createdAt }) => ({
          name: label ?? typeWords[type] ?? type,
          value: <RelativeTime at={createdAt} />,
        }))}
      />
      {ask.error !== null && <ErrorPanel error={ask.error} name="Sign-in" />}
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
