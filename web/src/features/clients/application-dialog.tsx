import { redirectUriProblem, webOriginProblem } from '@quayside/contract/clients/rules'
import { longest } from '@quayside/contract/http/limits'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCreateApplication } from '../../api/clients.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { Checkbox, Radio } from '../../ui/forms/checkbox.tsx'
import { FieldGroup } from '../../ui/forms/field-group.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { AddressField, addressesOf, firstProblem, origins, redirects } from './address-field.tsx'
import { SecretDialog } from './secret-dialog.tsx'

const texts = [
  { field: 'clientId', label: 'Client id', max: longest.clientId, help: 'Lower-case letters, digits and dashes' },
  { field: 'name', label: 'Name', max: longest.displayName, help: 'People read it when they sign in' },
  { field: 'description', label: 'Description', max: longest.shortDescription, help: undefined },
] as const

const start = { clientId: '', name: '', description: '', redirectUris: '', webOrigins: '' }

type Texts = typeof start

/** Texts as they were typed, and the refusal of a field; `isWrong` as long as the server would refuse it for sure. */
function useTyping(error: unknown) {
  const [typed, setTyped] = useState(start)
  const refused = error instanceof ApiError ? error : undefined
  const isWrong =
    [typed.clientId, typed.name].some((text) => text.trim() === '') ||
    addressesOf(typed.redirectUris).length === 0 ||
    firstProblem(typed.redirectUris, redirectUriProblem) !== undefined ||
    firstProblem(typed.webOrigins, webOriginProblem) !== undefined
  const refusalOf = (field: keyof Texts) => (refused?.field === field ? refused.message : undefined)
  return { typed, setTyped, isWrong, refusalOf, isExplained: Object.keys(start).includes(refused?.field ?? '') }
}

/** Registers an application that people sign in to; its secret, if it can keep one, is shown once. */
export function ApplicationDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateApplication()
  const navigate = useNavigate()
  const { typed, setTyped, isWrong, refusalOf, isExplained } = useTyping(create.error)
  const [isPublic, setPublic] = useState(false)
  const [consentRequired, setConsent] = useState(true)
  const open = (id: string) => void navigate({ to: '/users/clients/$clientId', params: { clientId: id } })
  if (create.data?.secret != null) {
    const { client, secret } = create.data
    return <SecretDialog clientId={client.clientId} secret={secret} onClose={() => open(client.id)} />
  }
  const submit = () =>
    create.mutate(
      {
        ...{ clientId: typed.clientId.trim(), name: typed.name.trim(), description: typed.description.trim() },
        ...{ isPublic, consentRequired, redirectUris: addressesOf(typed.redirectUris) },
        webOrigins: addressesOf(typed.webOrigins),
      },
      { onSuccess: ({ client, secret }) => secret === null && open(client.id) },
    )
  return (
    <FormDialog
      title="Register application"
      submitLabel="Register"
      busy={create.isPending}
      disabled={isWrong}
      error={isExplained ? undefined : create.error}
      onClose={onClose}
      onSubmit={submit}
    >
      <Fields
        typed={typed}
        refusalOf={refusalOf}
        onChange={(part) => {
          create.reset()
          setTyped({ ...typed, ...part })
        }}
      />
      <FieldGroup legend="Where it runs">
        <Radio name="kind" checked={!isPublic} onChange={() => setPublic(false)}>
          On a server, which keeps a secret
        </Radio>
        <Radio name="kind" checked={isPublic} onChange={() => setPublic(true)}>
          In a browser or on a device, without a secret
        </Radio>
      </FieldGroup>
      <Checkbox checked={consentRequired} onChange={setConsent}>
        Ask people for their consent
      </Checkbox>
    </FormDialog>
  )
}

interface FieldsProps {
  typed: Texts
  refusalOf: (field: keyof Texts) => string | undefined
  onChange: (part: Partial<Texts>) => void
}

function Fields({ typed, refusalOf, onChange }: FieldsProps) {
  return (
    <>
      {texts.map(({ field, label, max, help }, at) => (
        <TextField
          key={field}
          {...{ label, help }}
          required={field !== 'description'}
          data-autofocus={at === 0 ? true : undefined}
          dir={field === 'clientId' ? 'ltr' : 'auto'}
          maxLength={max}
          value={typed[field]}
          error={refusalOf(field)}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      ))}
      <AddressField
        {...redirects}
        required
        value={typed.redirectUris}
        error={refusalOf('redirectUris')}
        onChange={(redirectUris) => onChange({ redirectUris })}
      />
      <AddressField
        {...origins}
        value={typed.webOrigins}
        error={refusalOf('webOrigins')}
        onChange={(webOrigins) => onChange({ webOrigins })}
      />
    </>
  )
}
