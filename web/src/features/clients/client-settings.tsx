import type { ClientDetail } from '@quayside/contract/clients/administration'
import { longest } from '@quayside/contract/http/limits'
import { type FormEvent, useState } from 'react'
import { useUpdateClient } from '../../api/clients.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { FactList, Panel } from '../../ui/layout/panel.tsx'
import layout from '../../ui/lists/columns.module.css'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { AddressField, addressesOf, firstProblem, origins, redirects } from './address-field.tsx'
import styles from './client-dialog.module.css'
import { kindWords } from './client-kinds.ts'

interface Typed {
  name?: string
  description?: string
  redirectUris?: string
  webOrigins?: string
  consentRequired?: boolean
  standardFlow?: boolean
}

/** The settings of a client as a form, beside what is not changed here. */
export function ClientSettings({ client }: { client: ClientDetail }) {
  const { flows } = client
  return (
    <div className={layout.columns}>
      <Panel title="Settings">
        <SettingsForm client={client} />
      </Panel>
      <Panel title="Client">
        <FactList
          facts={[
            { name: 'Kind', value: kindWords[client.kind] },
            { name: 'Secret', value: client.isPublic ? 'None: it could not keep one' : 'Kept by the application' },
            { name: 'Signs in as itself', value: yesOrNo(flows.serviceAccount) },
            { name: 'Asks for passwords itself', value: yesOrNo(flows.password) },
            { name: 'Implicit flow', value: yesOrNo(flows.implicit) },
            { name: 'The portal takes its tokens', value: yesOrNo(client.opensPortal) },
          ]}
        />
      </Panel>
    </div>
  )
}

const yesOrNo = (is: boolean) => (is ? 'Yes' : 'No')

const texts = [
  { field: 'name', label: 'Name', max: longest.displayName },
  { field: 'description', label: 'Description', max: longest.shortDescription },
] as const

/** The form of a client: typed values over those of the server, which is sent only what was typed. */
function useEditing(client: ClientDetail) {
  const [typed, setTyped] = useState<Typed>({})
  const update = useUpdateClient(client.id)
  const refused = update.error instanceof ApiError ? update.error : undefined
  const refusalOf = (field: keyof Typed) => (refused?.field === field ? refused.message : undefined)
  const isWrong =
    firstProblem(typed.redirectUris ?? '', redirects.problem) !== undefined ||
    firstProblem(typed.webOrigins ?? '', origins.problem) !== undefined
  const isExplained = (['name', 'description', 'redirectUris', 'webOrigins'] as const).some(refusalOf)
  return {
    ...{ typed, refusalOf, isPending: update.isPending },
    canSave: !isWrong && Object.keys(typed).length > 0,
    error: isExplained ? null : update.error,
    change(part: Typed) {
      update.reset()
      setTyped({ ...typed, ...part })
    },
    save(event: FormEvent) {
      event.preventDefault()
      const { redirectUris, webOrigins, ...rest } = typed
      update.mutate(
        {
          ...rest,
          ...(redirectUris === undefined ? {} : { redirectUris: addressesOf(redirectUris) }),
          ...(webOrigins === undefined ? {} : { webOrigins: addressesOf(webOrigins) }),
        },
        { onSuccess: () => setTyped({}) },
      )
    },
  }
}

function SettingsForm({ client }: { client: ClientDetail }) {
  const right = useGuard()('client.edit', `edit ${client.clientId}`)
  const { typed, change, save, canSave, error, refusalOf, isPending } = useEditing(client)
  const isKept = client.keptBecause !== null
  const isClosed = isKept || right.allowed !== true
  // Addresses that are there already may have been set elsewhere by looser rules.
  const addresses = [
    { ...redirects, field: 'redirectUris' as const },
    { ...origins, field: 'webOrigins' as const },
  ].map((one) => ({ ...one, problem: typed[one.field] === undefined ? () => undefined : one.problem }))
  return (
    <form className={styles.form} onSubmit={save} noValidate>
      <Why client={client} />
      {texts.map(({ field, label, max }) => (
        <TextField
          key={field}
          label={label}
          dir="auto"
          disabled={isClosed}
          maxLength={max}
          value={typed[field] ?? client[field]}
          error={refusalOf(field)}
          onChange={(event) => change({ [field]: event.target.value })}
        />
      ))}
      <Checkbox
        checked={typed.standardFlow ?? client.flows.standard}
        disabled={isClosed || client.opensPortal}
        onChange={(standardFlow) => change({ standardFlow })}
      >
        People sign in to it
      </Checkbox>
      {addresses.map(({ field, ...words }) => (
        <AddressField
          key={field}
          {...words}
          disabled={isClosed || client.opensPortal}
          value={typed[field] ?? client[field].join('\n')}
          error={refusalOf(field)}
          onChange={(text) => change({ [field]: text })}
        />
      ))}
      <Checkbox
        checked={typed.consentRequired ?? client.consentRequired}
        disabled={isClosed}
        onChange={(consentRequired) => change({ consentRequired })}
      >
        Ask people for their consent
      </Checkbox>
      {error !== null && <ErrorPanel error={error} name="Save" />}
      {!isKept && (
        <div className={styles.buttons}>
          <GuardedButton {...right} type="submit" look="primary" busy={isPending} disabled={!canSave}>
            Save
          </GuardedButton>
        </div>
      )}
    </form>
  )
}

/** A sentence about what stays closed in the form. */
function Why({ client }: { client: ClientDetail }) {
  const text =
    client.keptBecause ??
    (client.opensPortal ? 'The portal takes its tokens, so where they are sent is not changed here.' : undefined)
  if (text === undefined) return null
  return (
    <p className={styles.text}>
      <bdi>{text}</bdi>
    </p>
  )
}
