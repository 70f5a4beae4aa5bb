import { longest } from '@quayside/contract/http/limits'
import type { IdentityProvider } from '@quayside/contract/identity-providers/endpoints'
import { providerLimits as most } from '@quayside/contract/identity-providers/rules'
import { useState } from 'react'
import { useUpdateProvider } from '../../api/realms/identity-providers.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { CopyField } from '../../ui/actions/copy-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import styles from './identity-providers.module.css'
import { scopesOf } from './new-provider-dialog.tsx'
import { TrustFields } from './trust-fields.tsx'

function useEditing(provider: IdentityProvider) {
  const [name, setName] = useState(provider.name)
  const [clientSecret, setSecret] = useState('')
  const [scopes, setScopes] = useState(provider.scopes.join(' '))
  const [trust, setTrust] = useState({ trustEmail: provider.trustEmail, linkOnly: provider.linkOnly })
  const ofOpenId = { scopes: scopesOf(scopes), ...trust, ...(clientSecret === '' ? {} : { clientSecret }) }
  const change = {
    ...{ id: provider.id, name: name.trim() },
    ...(provider.kind === 'oidc' ? ofOpenId : {}),
  }
  return { name, setName, clientSecret, setSecret, scopes, setScopes, trust, setTrust, change }
}

/** Changes a provider. Where people are sent, and as which client, is chosen once, when it is added. */
export function ProviderDialog({ provider, onClose }: { provider: IdentityProvider; onClose: () => void }) {
  const update = useUpdateProvider()
  const form = useEditing(provider)
  const refused = update.error instanceof ApiError ? update.error : undefined
  const of = (...fields: string[]) =>
    fields.some((field) => refused?.field?.split('.')[0] === field) ? refused?.message : undefined
  return (
    <FormDialog
      title={`Edit ${provider.name}`}
      submitLabel="Save"
      busy={update.isPending}
      disabled={form.name.trim() === ''}
      error={of('name', 'clientSecret', 'scopes') === undefined ? update.error : undefined}
      errorName="Save"
      onClose={onClose}
      onSubmit={() => update.mutate(form.change, { onSuccess: onClose })}
    >
      <TextField
        label="Name"
        required
        data-autofocus
        dir="auto"
        maxLength={longest.displayName}
        value={form.name}
        error={of('name')}
        onChange={(event) => form.setName(event.target.value)}
      />
      <CopyField
        label="Redirect address"
        value={provider.redirectAddress}
        help="It has to be registered at the provider."
      />
      {provider.kind === 'oidc' && (
        <>
          <p className={styles.about}>
            <bdi>
              <bdi dir="ltr">{provider.issuer}</bdi> knows this portal as <bdi dir="ltr">{provider.clientId}</bdi>. To
              change either, add the provider again: the links of accounts belong to this one.
            </bdi>
          </p>
          <TextField
            label="Client secret"
            type="password"
            dir="ltr"
            autoComplete="new-password"
            help="Left empty, the one that is set stays."
            maxLength={most.clientSecret}
            value={form.clientSecret}
            error={of('clientSecret')}
            onChange={(event) => form.setSecret(event.target.value)}
          />
          <TextField
            label="Further scopes"
            dir="ltr"
            autoComplete="off"
            help="Besides openid, profile and email."
            maxLength={500}
            value={form.scopes}
            error={of('scopes')}
            onChange={(event) => form.setScopes(event.target.value)}
          />
          <TrustFields value={form.trust} onChange={form.setTrust} />
        </>
      )}
    </FormDialog>
  )
}
