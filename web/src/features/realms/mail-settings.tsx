import type { MailServerInput, MailSettings } from '@quayside/contract/mail/endpoints'
import { mailLimits } from '@quayside/contract/mail/limits'
import { type FormEvent, useId, useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useMailSettings, useSaveMailSettings, useTestMail } from '../../api/realms/mail.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import type { Right } from '../../ui/actions/explain.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import field from '../../ui/forms/field.module.css'
import { Select } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import styles from './settings.module.css'

const encryptions = {
  tls: 'TLS from the start (port 465)',
  starttls: 'STARTTLS, or nothing is sent (port 587)',
  offered: 'Only where the server offers it',
} as const
const isEncryption = (text: string): text is keyof typeof encryptions => text in encryptions

interface Typed {
  host: string
  port: string
  from: string
  fromDisplayName: string
  replyTo: string
  encryption: keyof typeof encryptions
  user: string
  password: string
}

const typedOf = (now: MailSettings): Typed => ({
  ...{ host: now.host, port: now.port === null ? '' : String(now.port), from: now.from, replyTo: now.replyTo },
  ...{ fromDisplayName: now.fromDisplayName, encryption: now.encryption, user: now.user, password: '' },
})

const inputOf = ({ password, port, ...typed }: Typed): MailServerInput => ({
  ...typed,
  port: port.trim() === '' ? null : Number(port),
  ...(password === '' ? {} : { password }),
})

/** The mail server of the tenant, with a mail to try it. */
export function MailSettingsPanel() {
  const settings = useMailSettings()
  return (
    <Panel title="Mail server">
      {settings.data !== undefined ? (
        <MailForm now={settings.data} />
      ) : settings.error !== null ? (
        <ErrorPanel error={settings.error} name="Mail server" onRetry={() => void settings.refetch()} />
      ) : (
        <Loading />
      )}
    </Panel>
  )
}

const withServer = 'Links for new passwords, invitations and the confirmation of addresses are sent by this server.'
const kept =
  'No mail is sent: mails wait in the outbox below, where an administrator reads the links and hands them over.'
const refused =
  'No mail is sent. Keycloak keeps no mails: whatever needs one is refused, and “Forgot password” leads nowhere, until a server is set.'

const refusalOf = (errors: readonly unknown[]): ApiError | undefined =>
  errors.find((error): error is ApiError => error instanceof ApiError && error.field !== undefined)

function useMailForm(now: MailSettings) {
  const save = useSaveMailSettings()
  const test = useTestMail()
  const [typed, setTyped] = useState<Typed>(typedOf(now))
  const change = (part: Partial<Typed>) => {
    save.reset()
    test.reset()
    setTyped({ ...typed, ...part })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(inputOf(typed), { onSuccess: (after) => setTyped(typedOf(after)) })
  }
  const refusal = refusalOf([save.error, test.error])
  const problemOf = (name: string) => (refusal?.field === name ? refusal.message : undefined)
  const isExplained = refusal?.field !== undefined && (refusal.field in typed || refusal.field === 'to')
  const isChanged = JSON.stringify(typed) !== JSON.stringify(typedOf(now))
  return { save, test, typed, change, submit, problemOf, isExplained, isChanged }
}
type MailFormState = ReturnType<typeof useMailForm>

function MailForm({ now }: { now: MailSettings }) {
  const right = useGuard()('mail.edit', 'change the e-mail settings')
  const form = useMailForm(now)
  const { save, isChanged, isExplained } = form
  return (
    <form onSubmit={form.submit} noValidate aria-label="Mail server" className={styles.form}>
      <p className={styles.about}>
        <bdi>{now.host !== '' ? withServer : now.hasOutbox ? kept : refused}</bdi>
      </p>
      <ServerFields form={form} hasPassword={now.hasPassword} isClosed={right.allowed !== true} />
      {save.error !== null && !isExplained && <ErrorPanel error={save.error} name="Mail server" />}
      <div className={styles.buttons}>
        <span role="status" className={styles.saved}>
          {save.isSuccess && !isChanged && 'Saved'}
        </span>
        <GuardedButton {...right} type="submit" look="primary" busy={save.isPending} disabled={!isChanged}>
          Save
        </GuardedButton>
      </div>
      <TestMail form={form} right={right} />
    </form>
  )
}

interface FieldsProps {
  form: MailFormState
  hasPassword: boolean
  isClosed: boolean
}

function ServerFields({ form, hasPassword, isClosed }: FieldsProps) {
  const { typed, change, problemOf } = form
  const text = (name: Exclude<keyof Typed, 'encryption'>, label: string, max: number, more: object = {}) => (
    <TextField
      label={label}
      dir="ltr"
      autoComplete="off"
      disabled={isClosed}
      maxLength={max}
      value={typed[name]}
      error={problemOf(name)}
      onChange={(event) => change({ [name]: event.target.value })}
      {...more}
    />
  )
  return (
    <div className={styles.fields}>
      {text('host', 'Host', mailLimits.text, { help: 'Empty: no mail is sent.' })}
      {text('port', 'Port', 5, { inputMode: 'numeric', help: 'Empty: the usual one.' })}
      <Encryption
        value={typed.encryption}
        disabled={isClosed}
        error={problemOf('encryption')}
        onChange={(encryption) => change({ encryption })}
      />
      {text('from', 'From', mailLimits.address, { type: 'email', help: 'The address that mails come from.' })}
      {text('fromDisplayName', 'Name of the sender', mailLimits.text, { dir: 'auto' })}
      {text('replyTo', 'Reply to', mailLimits.address, { type: 'email' })}
      {text('user', 'User name', mailLimits.text, { help: 'Empty: the server asks for no sign-in.' })}
      {text('password', 'Password', mailLimits.password, {
        ...{ type: 'password', autoComplete: 'new-password' },
        help: hasPassword ? 'Left empty, the one that is set stays.' : undefined,
      })}
    </div>
  )
}

function TestMail({ form, right }: { form: MailFormState; right: Right }) {
  const { test, typed, problemOf, isExplained } = form
  const [to, setTo] = useState('')
  return (
    <>
      <div className={styles.fields}>
        <TextField
          label="Address for a test"
          type="email"
          dir="ltr"
          autoComplete="off"
          disabled={right.allowed !== true}
          maxLength={mailLimits.address}
          value={to}
          error={problemOf('to')}
          onChange={(event) => {
            test.reset()
            setTo(event.target.value)
          }}
        />
      </div>
      {test.error !== null && !isExplained && <ErrorPanel error={test.error} name="Test" />}
      <div className={styles.buttons}>
        <span role="status" className={styles.saved}>
          {test.isSuccess && 'The server has taken the mail'}
        </span>
        <GuardedButton
          {...right}
          busy={test.isPending}
          disabled={typed.host === '' || to === ''}
          onClick={() => test.mutate({ ...inputOf(typed), to: to.trim() })}
        >
          Send test mail
        </GuardedButton>
      </div>
    </>
  )
}

interface EncryptionProps {
  value: keyof typeof encryptions
  disabled: boolean
  error: string | undefined
  onChange: (value: keyof typeof encryptions) => void
}

function Encryption({ value, disabled, error, onChange }: EncryptionProps) {
  const id = useId()
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        Encryption
      </label>
      <Select
        id={id}
        value={value}
        disabled={disabled}
        aria-describedby={`${id}-error`}
        onChange={({ target }) => isEncryption(target.value) && onChange(target.value)}
      >
        {Object.entries(encryptions).map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </Select>
      <span id={`${id}-error`} className={field.error} role="alert">
        <bdi>{error}</bdi>
      </span>
    </div>
  )
}
