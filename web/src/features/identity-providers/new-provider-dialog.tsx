import { longest } from '@quayside/contract/http/limits'
import {
  aliasPattern,
  providerLimits as most,
  providerAddressProblem,
} from '@quayside/contract/identity-providers/rules'
import { useState } from 'react'
import { useCreateProvider, useDiscovery } from '../../api/realms/identity-providers.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CopyField } from '../../ui/actions/copy-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import parts from '../../ui/layout/form-parts.module.css'
import { TrustFields } from './trust-fields.tsx'

const start = { name: '', id: '', address: '', clientId: '', clientSecret: '', scopes: '' }
type Typed = typeof start

/** An id from a name, as long as nobody has typed one. */
const idOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, most.alias)
    .replace(/^-+|-+$/g, '')

export const scopesOf = (text: string) => text.split(/\s+/).filter((one) => one !== '')

function useNewProvider() {
  const [typed, setTyped] = useState<Typed>(start)
  const [trust, setTrust] = useState({ trustEmail: false, linkOnly: false })
  const create = useCreateProvider()
  const discovery = useDiscovery()
  const id = typed.id || idOf(typed.name)
  const isWrong =
    [typed.name, typed.clientId, typed.clientSecret].some((text) => text.trim() === '') ||
    !aliasPattern.test(id) ||
    providerAddressProblem(typed.address) !== undefined
  const refused = [create.error, discovery.error].find((error) => error instanceof ApiError)
  const refusalOf = (field: string) => (refused?.field === field ? refused.message : undefined)
  return {
    ...{ typed, trust, setTrust, create, discovery, id, isWrong, refusalOf },
    isExplained: refused?.field !== undefined && refused.field in start,
    change(part: Partial<Typed>) {
      create.reset()
      discovery.reset()
      setTyped({ ...typed, ...part })
    },
    input: {
      ...{ id, name: typed.name.trim(), address: typed.address.trim(), clientId: typed.clientId.trim() },
      ...{ clientSecret: typed.clientSecret, scopes: scopesOf(typed.scopes), ...trust },
    },
  }
}
type Form = ReturnType<typeof useNewProvider>

interface Props {
  /** Redirect addresses are this, the id and `/endpoint`. */
  redirectBase: string
  onClose: () => void
}

/** Adds a provider by the address at which it describes itself. */
export function NewProviderDialog({ redirectBase, onClose }: Props) {
  const form = useNewProvider()
  const { create, id, input, isWrong, isExplained } = form
  return (
    <FormDialog
      title="Add provider"
      submitLabel="Add"
      busy={create.isPending}
      disabled={isWrong}
      error={isExplained ? undefined : create.error}
      onClose={onClose}
      onSubmit={() => create.mutate(input, { onSuccess: onClose })}
    >
      <Field form={form} name="name" label="Name" max={longest.displayName} help="Stands on the button." focus />
      <Field
        form={form}
        name="id"
        label="Id"
        max={most.alias}
        placeholder={id}
        help="Stays: it is in the address below."
      />
      <Discovery form={form} />
      <CopyField
        label="Redirect address"
        value={`${redirectBase}${id || '…'}/endpoint`}
        help="Register it at the provider, where you get the client id and the secret."
      />
      <Field form={form} name="clientId" label="Client id" max={most.clientId} required />
      <Field form={form} name="clientSecret" label="Client secret" max={most.clientSecret} required isSecret />
      <Field form={form} name="scopes" label="Further scopes" max={500} help="Besides openid, profile and email." />
      <TrustFields value={form.trust} onChange={form.setTrust} />
    </FormDialog>
  )
}

interface FieldProps {
  form: Form
  name: keyof Typed
  label: string
  max: number
  help?: string
  placeholder?: string
  required?: boolean
  focus?: boolean
  isSecret?: boolean
}

function Field({ form, name, label, max, help, placeholder, required, focus, isSecret }: FieldProps) {
  return (
    <TextField
      {...{ label, help, placeholder }}
      required={required === true || focus === true}
      data-autofocus={focus}
      dir={name === 'name' ? 'auto' : 'ltr'}
      type={isSecret === true ? 'password' : undefined}
      autoComplete={isSecret === true ? 'new-password' : 'off'}
      maxLength={max}
      value={form.typed[name]}
      error={form.refusalOf(name)}
      onChange={(event) => form.change({ [name]: event.target.value })}
    />
  )
}

/** The address of the provider, with a button that asks it before anything is kept. */
function Discovery({ form }: { form: Form }) {
  const { typed, discovery } = form
  const problem = typed.address === '' ? undefined : providerAddressProblem(typed.address)
  return (
    <div className={parts.stack}>
      <Field
        form={form}
        name="address"
        label="Address"
        max={most.address}
        required
        help="As in https://login.example.org"
      />
      <div className={parts.actions}>
        <Button
          busy={discovery.isPending}
          disabled={typed.address.trim() === '' || problem !== undefined}
          onClick={() => discovery.mutate(typed.address.trim())}
        >
          Test
        </Button>
      </div>
      {discovery.data !== undefined && (
        <p role="status" className={parts.answer}>
          <bdi>
            It answers. People sign in at <bdi dir="ltr">{new URL(discovery.data.authorizationAddress).host}</bdi>, and
            it calls itself <bdi dir="ltr">{discovery.data.issuer}</bdi>.
          </bdi>
        </p>
      )}
    </div>
  )
}
