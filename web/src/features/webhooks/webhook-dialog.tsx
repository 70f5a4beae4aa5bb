import { longest } from '@quayside/contract/http/limits'
import type { SavedWebhook, Webhook } from '@quayside/contract/webhooks/endpoints'
import { webhookEvents, webhookLimits } from '@quayside/contract/webhooks/rules'
import { useState } from 'react'
import { SpaceChoice } from '../../api/space-choice.tsx'
import { CopyField } from '../../ui/actions/copy-field.tsx'
import { Checkbox, Radio } from '../../ui/forms/checkbox.tsx'
import field from '../../ui/forms/field.module.css'
import { FieldGroup } from '../../ui/forms/field-group.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { NameField } from '../../ui/forms/name-field.tsx'
import { Choice } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useWebhookForm, type WebhookForm } from './webhook-form.ts'
import { eventWords, signingWords } from './webhook-words.ts'
import styles from './webhooks.module.css'

interface Props {
  /** The webhook to change; left out, one is added. */
  webhook: Webhook | undefined
  onClose: () => void
}

/** Adds a webhook or changes one; a secret that the portal makes is shown once. */
export function WebhookDialog({ webhook, onClose }: Props) {
  const form = useWebhookForm(webhook)
  const [made, setMade] = useState<{ name: string; secret: string }>()
  if (made !== undefined) return <Secret {...made} onClose={onClose} />
  const onSaved = ({ name, secret }: SavedWebhook) => (secret === null ? onClose() : setMade({ name, secret }))
  return (
    <FormDialog
      title={webhook === undefined ? 'Add webhook' : 'Edit webhook'}
      submitLabel={webhook === undefined ? 'Add webhook' : 'Save'}
      busy={form.save.isPending}
      error={form.isExplained ? undefined : form.save.error}
      onClose={onClose}
      onSubmit={() => form.submit(onSaved)}
    >
      <NameField
        value={form.typed.name}
        most={longest.displayName}
        error={form.problemOf('name')}
        onChange={(name) => form.change({ name })}
      />
      <TextField
        label="Address"
        required
        dir="ltr"
        autoComplete="off"
        maxLength={webhookLimits.url}
        help="As in https://hooks.example.org/portal. Messages are sent there by POST."
        value={form.typed.url}
        error={form.problemOf('url')}
        onChange={(event) => form.change({ url: event.target.value })}
      />
      <SigningFields form={form} isSigned={webhook?.isSigned === true} />
      <Told form={form} />
      <Checkbox checked={form.typed.enabled} onChange={(enabled) => form.change({ enabled })}>
        On
      </Checkbox>
    </FormDialog>
  )
}

function SigningFields({ form, isSigned }: { form: WebhookForm; isSigned: boolean }) {
  const choices = isSigned ? (['keep', 'generate', 'typed', 'none'] as const) : (['generate', 'typed', 'none'] as const)
  return (
    <>
      <Choice
        label="Signature"
        value={form.typed.signing}
        options={choices.map((value) => ({ value, label: signingWords[value] }))}
        onChange={(signing) => form.change({ signing })}
      />
      {form.typed.signing === 'typed' && (
        <TextField
          label="Signing secret"
          required
          type="password"
          dir="ltr"
          autoComplete="new-password"
          maxLength={webhookLimits.secret}
          help="whsec_ followed by 24 to 64 bytes in base64, the same as at the receiver."
          value={form.typed.secret}
          error={form.problemOf('secret')}
          onChange={(event) => form.change({ secret: event.target.value })}
        />
      )}
    </>
  )
}

/** Events and spaces that it is told of. */
function Told({ form }: { form: WebhookForm }) {
  const { events, spaceIds } = form.typed
  return (
    <>
      <FieldGroup legend="Events">
        {webhookEvents.map((event) => (
          <Checkbox
            key={event}
            checked={events.includes(event)}
            onChange={(isOn) =>
              form.change({ events: webhookEvents.filter((one) => (one === event ? isOn : events.includes(one))) })
            }
          >
            {eventWords[event]}
          </Checkbox>
        ))}
        <Problem text={form.problemOf('events')} />
      </FieldGroup>
      <FieldGroup legend="Where">
        <Radio name="where" checked={spaceIds === null} onChange={() => form.change({ spaceIds: null })}>
          In all spaces, and on clusters
        </Radio>
        <Radio name="where" checked={spaceIds !== null} onChange={() => form.change({ spaceIds: [] })}>
          Only in some spaces
        </Radio>
        {spaceIds !== null && (
          <SpaceChoice
            chosen={spaceIds}
            most={webhookLimits.spaces}
            onChange={(ids) => form.change({ spaceIds: ids })}
          />
        )}
        <Problem text={form.problemOf('spaceIds')} />
      </FieldGroup>
    </>
  )
}

function Problem({ text }: { text: string | undefined }) {
  return (
    <span className={field.error} role="alert">
      <bdi>{text}</bdi>
    </span>
  )
}

function Secret({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  return (
    <FormDialog title={`${name} is saved`} submitLabel="Done" busy={false} onClose={onClose} onSubmit={onClose}>
      <p className={styles.note}>
        <bdi>The signing secret is shown only once. Copy it to the receiver, which uses it to verify each message.</bdi>
      </p>
      <CopyField label="Signing secret" value={secret} />
    </FormDialog>
  )
}
