import type { IdentityProvider } from '@quayside/contract/identity-providers/endpoints'
import type { ProviderKind } from '@quayside/contract/identity-providers/rules'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import {
  useDeleteProvider,
  useIdentityProviders,
  useOrderProviders,
  useTestProvider,
  useUpdateProvider,
} from '../../api/realms/identity-providers.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import type { Right } from '../../ui/actions/explain.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import type { MenuEntry } from '../../ui/actions/row-menu.tsx'
import parts from '../../ui/layout/form-parts.module.css'
import { Panel } from '../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { addressWords } from './address-words.ts'
import styles from './identity-providers.module.css'
import { MappingsDialog } from './mappings-dialog.tsx'
import { NewProviderDialog } from './new-provider-dialog.tsx'
import { ProviderDialog } from './provider-dialog.tsx'

const kindWords: Readonly<Record<ProviderKind, string>> = {
  oidc: 'OpenID Connect',
  saml: 'SAML, set up at Keycloak',
  other: 'Set up at Keycloak',
}

const columns: readonly Column<IdentityProvider>[] = [
  { key: 'name', title: 'Provider', cell: ({ id, name }) => <NameCell below={id}>{name}</NameCell> },
  {
    key: 'issuer',
    title: 'Address',
    cell: ({ issuer }) => (
      <bdi dir="ltr" className={styles.address}>
        {issuer ?? '–'}
      </bdi>
    ),
  },
  { key: 'kind', title: 'Kind', cell: ({ kind }) => kindWords[kind] },
  {
    key: 'enabled',
    title: 'State',
    cell: ({ enabled }) => <StateBadge state={enabled ? 'enabled' : 'disabled'} />,
  },
]

type Open = { dialog: 'edit' | 'mappings'; provider: IdentityProvider } | { dialog: 'new' }

/** Identity providers of the tenant: people sign in there instead of with a password. */
export function IdentityProviders() {
  const providers = useIdentityProviders()
  const right = useGuard()('identity-providers.edit', 'change how people sign in elsewhere')
  const [open, setOpen] = useState<Open>()
  const actions = useActions(providers.data?.data ?? [], right, setOpen)
  const add = (
    <GuardedButton {...right} look="primary" icon={IconPlus} onClick={() => setOpen({ dialog: 'new' })}>
      Add provider
    </GuardedButton>
  )
  const isEmpty = providers.data?.data.length === 0
  return (
    <Panel title="Single sign-on" aside={isEmpty || providers.data === undefined ? undefined : add} flush>
      {actions.report}
      <DataTable
        sorts="all rows are here"
        label="Identity providers"
        columns={columns}
        rows={providers.data?.data}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={actions.entriesOf}
        error={providers.error}
        onRetry={() => void providers.refetch()}
        empty={
          <EmptyState
            icon={IconKey}
            title="No identity providers"
            text="People sign in with the passwords of this portal. Add a provider, and they can sign in with the account that they have there."
            action={add}
          />
        }
      />
      {open?.dialog === 'new' && (
        <NewProviderDialog redirectBase={providers.data?.redirectBase ?? ''} onClose={() => setOpen(undefined)} />
      )}
      {open?.dialog === 'edit' && <ProviderDialog provider={open.provider} onClose={() => setOpen(undefined)} />}
      {open?.dialog === 'mappings' && <MappingsDialog provider={open.provider} onClose={() => setOpen(undefined)} />}
    </Panel>
  )
}

/** The menu of a provider, and what came of the last choice. */
function useActions(all: readonly IdentityProvider[], right: Right, open: (next: Open) => void) {
  const [update, remove, order, test] = [
    useUpdateProvider(),
    useDeleteProvider(),
    useOrderProviders(),
    useTestProvider(),
  ]
  const confirm = useConfirm()
  const begin = () => {
    for (const one of [update, remove, order, test]) one.reset()
  }

  async function askToRemove({ id, name }: IdentityProvider) {
    const message = `People who signed in by ${name} keep their accounts, and can sign in to them with a password once they have one. Their links and the mappings of ${name} are deleted.`
    begin()
    if (await confirm({ title: `Delete ${name}`, message, danger: true })) remove.mutate(id)
  }

  function move(provider: IdentityProvider, by: 1 | -1) {
    const at = all.indexOf(provider)
    const others = all.filter((one) => one !== provider)
    begin()
    order.mutate(others.toSpliced(at + by, 0, provider))
  }

  const entriesOf = (provider: IdentityProvider): readonly MenuEntry[] => [
    { label: 'Edit', onSelect: () => open({ dialog: 'edit', provider }), right },
    {
      label: 'Test',
      right,
      disabled: provider.kind !== 'oidc',
      onSelect: () => {
        begin()
        test.mutate(provider)
      },
    },
    {
      label: 'Groups and attributes',
      disabled: provider.kind !== 'oidc',
      onSelect: () => open({ dialog: 'mappings', provider }),
    },
    {
      label: provider.enabled ? 'Disable' : 'Enable',
      right,
      onSelect: () => {
        begin()
        update.mutate({ id: provider.id, enabled: !provider.enabled })
      },
    },
    { label: 'Move up', right, disabled: all[0] === provider, onSelect: () => move(provider, -1) },
    { label: 'Move down', right, disabled: all.at(-1) === provider, onSelect: () => move(provider, 1) },
    { label: 'Delete', right, danger: true, onSelect: () => void askToRemove(provider) },
  ]

  const error = update.error ?? remove.error ?? order.error ?? test.error
  const report = (
    <>
      {error !== null && <ErrorPanel error={error} name={error === test.error ? 'Test' : 'Change'} />}
      {test.data !== undefined && <TestReport {...test.data} />}
    </>
  )
  return { entriesOf, report }
}

function TestReport({ provider, changed }: { provider: IdentityProvider; changed: readonly string[] }) {
  const names = changed.map((name) => addressWords[name] ?? name).join(', ')
  return (
    <p role="status" className={parts.answer}>
      <bdi>
        {changed.length === 0
          ? `${provider.name} answers, as when it was added.`
          : `${provider.name} answers, and has changed since it was added: ${names}. Delete it and add it again, if you trust what is there now.`}
      </bdi>
    </p>
  )
}
